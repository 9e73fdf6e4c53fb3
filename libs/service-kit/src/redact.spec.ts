import { describe, expect, it } from '@jest/globals';
import { redact, redactText, redactUnder, sealingOf } from './redact.js';

const jws = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJyIn0.c2ln';

describe('a text', () => {
  it.each([
    ['failed with sk-test-000', 'failed with [redacted]'],
    [`key "sk-sg-${'a'.repeat(43)}" is revoked`, 'key "[redacted]" is revoked'],
    ['GET https://x.example/cb?code=abc&state=1 failed', 'GET https://x.example/cb?[redacted] failed'],
    ['GET /cb?code=abc failed', 'GET /cb?[redacted] failed'],
    ['https://x.example/cb#access_token=abc', 'https://x.example/cb#[redacted]'],
    [`grant ${jws} refused`, 'grant [redacted] refused'],
    [`cut short: ${jws.slice(0, 22)}`, 'cut short: [redacted]'],
    ['postgres://accounts:p/w?x@127.0.0.1:5432/db', 'postgres://[redacted]@127.0.0.1:5432/db'],
    ['https://me:pw@host/path', 'https://[redacted]@host/path'],
    ['Authorization: Token abc def', 'Authorization: [redacted]'],
    ['Bearer abcdef123', 'Bearer [redacted]'],
    ['Basic dXNlcjpwdw==', 'Basic [redacted]'],
    ['password=hunter2, next', 'password=[redacted], next'],
    ['{"client_secret":"hunter2","n":1}', '{"client_secret":"[redacted]","n":1}'],
    [String.raw`{\"api_key\":\"hun ter2\",\"n\":1}`, String.raw`{\"api_key\":\"[redacted]\",\"n\":1}`],
    ['token: "two words"', 'token: "[redacted]"'],
    ['xoxb-123456-abcdef', '[redacted]'],
    ['ghp_abcdefghijklmnop0123', '[redacted]'],
    [`{"kty":"OKP","d":"${'A'.repeat(43)}"}`, '{"kty":"OKP","d":"[redacted]"}'],
    ['-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\nend', '[redacted]\nend'],
  ])('%s is told as %s', (text, told) => {
    expect(redactText(text)).toBe(told);
  });

  it.each([
    'the task-list of the help desk-top',
    'Basic settings and a bearer of news',
    'input_tokens=12, output tokens: 7',
    'see https://x.example/docs#usage',
    'Unexpected token < in JSON at position 0',
    'mail to someone@example.org',
    'is this ready? yes = no',
    'call.v1.catalog.load-skill gave no answer within 5000 ms',
  ])('%j is left as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('that is huge or hostile costs little time', () => {
    const hostile = ['a.', 'a-', 'eyJ', '?a', 'https://', '"d":', 'token', 'a://', '-----BEGIN '].map((piece) => piece.repeat(100_000));
    const began = performance.now();
    hostile.forEach(redactText);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('that is cut tells by how much', () => {
    expect(redactText('x'.repeat(8_200))).toMatch(/… \[8 characters more\]$/);
  });
});

describe('a key', () => {
  it.each([
    'authorization',
    'x-api-key',
    'apiKey',
    'APIKey',
    'http.request.header.cookie',
    'SKILLGATE_NATS_PASSWORD_DOCS',
    'client_secret',
    'accessToken',
    'grant',
    'ticket',
    'receipts',
    'signingKey',
  ])('%s seals everything', (key) => {
    expect(redactUnder(key, 'v')).toBe('[redacted]');
    expect(redactUnder(key, { deep: [1] })).toBe('[redacted]');
  });

  it.each(['content', 'gen_ai.prompt', 'gen_ai.input.messages', 'gen_ai.tool.call.arguments', 'toolArguments', 'tokens'])(
    '%s seals texts and shows numbers',
    (key) => {
      expect(redactUnder(key, { a: 'text', n: 3 })).toEqual({ a: '[redacted]', n: 3 });
    },
  );

  it.each([
    'skillgate.grant.id',
    'grantId',
    'content_type',
    'contentLength',
    'tokenHash',
    'gen_ai.usage.input_tokens',
    'key',
    'keys',
    'secretary',
    'message',
    'gen_ai.tool.call.id',
    'service.name',
  ])('%s is open', (key) => {
    expect(sealingOf(key)).toBe('open');
  });
});

describe('an object', () => {
  it('is copied whole, secrets apart, at every depth and in lists', () => {
    const facts = {
      user: 'u1',
      list: [{ token: 'abc' }, 'sk-test-000'],
      headers: new Map([['cookie', 'a=b']]),
      at: new Date(0),
      size: 3,
      ok: true,
    };
    expect(redact(facts)).toEqual({
      user: 'u1',
      list: [{ token: '[redacted]' }, '[redacted]'],
      headers: { cookie: '[redacted]' },
      at: '1970-01-01T00:00:00.000Z',
      size: 3,
      ok: true,
    });
    expect(facts.list[1]).toBe('sk-test-000');
  });

  it('may be an error, whose causes and known fields are told and whose others are not', () => {
    const error = Object.assign(new Error('login failed with token=abc', { cause: new Error('sk-test-000') }), {
      code: '28P01',
      parameters: ['canary'],
      config: { headers: {} },
    });
    const told = redact(error) as Record<string, unknown>;
    expect(told).toMatchObject({
      type: 'Error',
      message: 'login failed with token=[redacted]',
      code: '28P01',
      cause: { message: '[redacted]' },
    });
    expect(JSON.stringify(told)).not.toMatch(/canary|token=abc|sk-test|headers/);
  });

  it('may be anything: loops, bytes, depths, getters that throw', () => {
    const loop: Record<string, unknown> = { bytes: Buffer.from('secret'), run: () => 1, big: 1n };
    loop.self = loop;
    let deep: unknown = 'bottom';
    for (let n = 0; n < 20; n += 1) deep = { deep };
    const hostile = {
      get x(): never {
        throw new Error('no');
      },
    };
    expect(redact(loop)).toEqual({ bytes: '[6 bytes]', run: '[function]', big: '[bigint]', self: '[circular]' });
    expect(JSON.stringify(redact(deep))).toContain('[deeper levels left out]');
    expect(redact({ hostile })).toEqual({ hostile: '[unreadable: a getter or toJSON threw]' });
  });
});
