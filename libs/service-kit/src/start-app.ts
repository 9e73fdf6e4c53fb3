import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { z } from 'zod';
import { WireStrategy } from '@skillgate/wire/strategy';
import { httpCloser } from './close-http.js';
import type { Drain } from './drain.js';
import { answerHealth } from './health-routes.js';
import { KitModule } from './kit-module.js';
import { nestLogFor } from './nest-log.js';
import type { Kit, ServiceDefinition } from './service-definition.js';

export interface StartedApp {
  readonly app: INestApplicationContext;
  /** `http://host:port` of a service with an HTTP side. */
  readonly url?: string;
  /** Takes no new requests and lets those in flight end. */
  closeHttp(leftMs: number): Promise<void>;
}

/** Makes the Nest application of a service and lets it serve. How to close it is in the drain as soon as it exists. */
export async function startApp<C extends z.ZodObject>(definition: ServiceDefinition<C>, kit: Kit, drain: Drain): Promise<StartedApp> {
  const ownKit = kit as Parameters<ServiceDefinition<C>['module']>[0];
  const module = KitModule.around(kit, await definition.module(ownKit));
  const strategy = new WireStrategy(kit.wire, definition.edges);
  // Nest would end the process on an error, and with it the other services in it.
  const options = { logger: nestLogFor(kit.name, kit.log), abortOnError: false };
  if (definition.http) {
    const { ExpressAdapter } = await import('@nestjs/platform-express'); // 7 MB that the other services need not load
    // No body parser: a route knows what it takes and how much of it, and an upload may be JSON as well.
    const app = await NestFactory.create<NestExpressApplication>(module, new ExpressAdapter(), { ...options, bodyParser: false });
    drain.add('application', () => app.close());
    app.use(atTheDoor(kit));
    await definition.http(app, ownKit);
    app.connectMicroservice<MicroserviceOptions>({ strategy });
    return startHttp(app, kit);
  }
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module as DynamicModule, { ...options, strategy });
  drain.add('application', () => app.close());
  await app.listen();
  return { app, closeHttp: () => Promise.resolve() };
}

/** Before everything else: health needs no caller, and what is done for a request is this service's work. */
const atTheDoor = (kit: Kit) => (request: IncomingMessage, response: ServerResponse, next: () => void) => {
  if (kit.draining.aborted) response.setHeader('connection', 'close');
  if (!answerHealth(kit.health, request, response)) kit.telemetry.inService(next);
};

async function startHttp(app: NestExpressApplication, kit: Kit): Promise<StartedApp> {
  const { SKILLGATE_HTTP_HOST: host, SKILLGATE_HTTP_PORT: port } = kit.config;
  await app.startAllMicroservices();
  const server = app.getHttpServer() as Server;
  const close = httpCloser(server);
  await app.listen(port, host);
  return {
    app,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    closeHttp: async (leftMs) => {
      if (await close(leftMs)) throw new Error(`requests were still open after ${leftMs} ms and were cut`);
    },
  };
}
