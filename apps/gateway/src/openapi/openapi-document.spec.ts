import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { CONFIG, LOG } from '@skillgate/service-kit/inject';
import { newSigningKey } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { gatewayConfig } from '../config.js';
import { GatewayModule } from '../gateway.module.js';
import { openApiDocument } from './openapi-document.js';

const committed = join(import.meta.dirname, '../../../../docs/openapi.json');
const refresh = 'SKILLGATE_WRITE_OPENAPI=1 bin/test gateway';

let document: OpenAPIObject;

beforeAll(async () => {
  const parts = [
    { provide: CONFIG, useValue: gatewayConfig.parse({ SKILLGATE_SIGNING_KEY: JSON.stringify(await newSigningKey()) }) },
    { provide: LOG, useValue: {} },
    { provide: Wire, useValue: {} },
  ];
  // The document comes from the routes alone: nothing listens, nothing is connected.
  class Kit {}
  Module({})(Kit);
  const app = await NestFactory.create(
    { module: Kit, global: true, imports: [GatewayModule.make()], providers: parts, exports: parts },
    { logger: false },
  );
  document = JSON.parse(JSON.stringify(openApiDocument(app))) as OpenAPIObject;
});

type Operations = Record<string, { summary?: string; responses: Record<string, { content?: object }>; security?: unknown }>;
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Operations).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );

describe('the OpenAPI document', () => {
  it(`in docs/openapi.json is current; "${refresh}" writes it`, () => {
    const text = `${JSON.stringify(document, null, 1)}\n`;
    if (process.env.SKILLGATE_WRITE_OPENAPI) writeFileSync(committed, text);
    expect(readFileSync(committed, 'utf8')).toBe(text);
  });

  it('says of every route what it does and how it refuses', () => {
    expect(operations().length).toBeGreaterThan(20);
    for (const { name, operation } of operations()) {
      expect([name, Boolean(operation.summary)]).toEqual([name, true]);
      if (operation.security) continue; // which says that nothing is asked for
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401', '429'])]);
    }
  });

  it('asks for no key in one place, where an outside system sends a browser', () => {
    const open = operations().filter(({ operation }) => operation.security);
    expect(open.map(({ name, operation }) => [name, operation.security])).toEqual([['get /api/v1/integrations/callback', []]]);
  });

  it('has a body for every route that reads one', () => {
    const reading = operations().filter(({ name }) => /^(post|put|patch) /.test(name) && !/cancel|approve$|artifacts|connection$/.test(name));
    expect(reading.map(({ name, operation }) => [name, 'requestBody' in operation])).toEqual(reading.map(({ name }) => [name, true]));
  });

  it('names every field that is accepted and ignored', () => {
    const chat = document.paths['/v1/chat/completions']?.post?.requestBody as {
      content: { 'application/json': { schema: { properties: Record<string, { description?: string }> } } };
    };
    expect(chat.content['application/json'].schema.properties.store?.description).toBe('Accepted and ignored.');
  });
});
