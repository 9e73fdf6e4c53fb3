import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { defineService } from '@skillgate/service-kit/service-definition';
import type { RequestHandler } from 'express';
import { gatewayConfig } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { identifyRequest } from './identify-request.js';
import { openApiDocument } from './openapi/openapi-document.js';

export const gatewayService = defineService({
  name: 'gateway',
  edges: gatewayEdges,
  config: gatewayConfig,
  module: () => GatewayModule.make(),
  http: (app) => {
    app.disable('x-powered-by');
    app.disable('etag'); // answers are per caller and moment; artifacts set their own
    app.use(identifyRequest);
    let document: string | undefined;
    const sendDocument: RequestHandler = (_request, response) => {
      // The first reader pays: the routes are complete by then, and a start without readers costs nothing.
      document ??= JSON.stringify(openApiDocument(app));
      response.type('application/json').send(document);
    };
    app.use('/openapi.json', sendDocument);
  },
});
