// Proves: whoever starts the house on this machine sees what is approved in their name, place by place.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HouseOperator } from './greet-house.js';
import type { HouseSecrets } from './house-secrets.js';

const tool = (name: string, state: string, more: object = {}) => ({ name, profile: 'docs', effect: 'read', schemaDigest: 'a', state, ...more });
const tools = [
  tool('docs_same', 'approved'),
  tool('docs_new', 'proposed', { tokens: 40, notes: ['the root was given the type object', 'for Gemini /properties/a: uniqueItems cannot be said'] }),
  tool('docs_other', 'changed', { tokens: 60, reason: 'differs', changes: [{ what: 'effect', before: 'read', after: 'external' }, { what: '/properties/to', before: null, after: '{"type":"string"}' }] }),
  tool('docs_bad', 'quarantined', { reason: 'no\r\u001b[2K\nobject' }),
];

let server: Server;
const asked: unknown[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      if (request.method === 'POST') asked.push([request.url, JSON.parse(body)]);
      const listed = { executors: [{ executor: 'docs', instances: 1, tools, refused: [{ name: 'API-get', reason: 'call it "api_get"' }] }] };
      const answer = request.method === 'GET' ? listed : { approved: ['docs_new', 'docs_other'], renamed: [{ name: 'docs_new', shownAs: 'docs_new_docs' }] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

it('approves what is new and changed, and shows what that is', async () => {
  const told: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new HouseOperator(url, { operatorKey: 'k' } as HouseSecrets, (line) => told.push(line)).approve(['docs']);
  expect(asked).toEqual([['/api/v1/manifests/docs/approve', { tools: [{ name: 'docs_new', schemaDigest: 'a' }, { name: 'docs_other', schemaDigest: 'a' }] }]]);
  expect(told).toEqual([
    'docs: docs_bad is quarantined: no\\u000d\\u001b[2K\\u000aobject',
    'docs: API-get is no manifest: call it "api_get"',
    'approved docs: docs_new (docs, read, 40 tokens, models know it as docs_new_docs)',
    '  the root was given the type object',
    'approved docs: docs_other (docs, read, 60 tokens, changed)',
    '  effect: read -> external',
    '  /properties/to: nothing -> {"type":"string"}',
  ]);
});

it('gives no approval again that was withdrawn while it runs', async () => {
  asked.length = 0;
  const told: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const operator = new HouseOperator(url, { operatorKey: 'k' } as HouseSecrets, (line) => told.push(line));
  await operator.approve(['docs']);
  await operator.approve(['docs']); // the list still has both as open: somebody took them back
  expect(asked).toHaveLength(1);
  expect(told.filter((line) => line.includes('was withdrawn'))).toHaveLength(2);
});
