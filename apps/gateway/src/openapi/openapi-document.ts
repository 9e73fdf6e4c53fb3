import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { errorBodies, jsonSchema } from './operation.js';

const bearer = {
  type: 'http' as const,
  scheme: 'bearer',
  description: 'An API key, sk-sg-…, or a JWT of an issuer that the operator trusts.',
};

/** The public surface, from the routes and the schemas that the code itself uses. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Skillgate')
    .setDescription(
      'An agent platform in which skills are the gates to tools: an OpenAI-compatible API under /v1, everything else under /api/v1.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth(bearer, 'apiKey')
    .addSecurityRequirements('apiKey')
    .build();
  const document = SwaggerModule.createDocument(app, frame, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const schemas = Object.fromEntries(Object.entries(errorBodies).map(([name, { schema }]) => [name, jsonSchema(schema, 'output')]));
  return { ...document, components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } } };
}
