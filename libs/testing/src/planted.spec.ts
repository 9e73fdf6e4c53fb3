import { describe, expect, it } from '@jest/globals';
import { plant, secretsIn } from './planted.js';

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the search for secrets', () => {
  const secret = plant('client-secret');

  it.each([
    ['a planted secret', secret],
    ['a planted secret', JSON.stringify(JSON.stringify({ secret }))],
    ['a planted secret', `/x?y=${encodeURIComponent(secret)}`],
    ['a planted secret in hexadecimal digits', `\\\\x${Buffer.from(`a${secret}b`).toString('hex')}`],
    ['a planted secret in base64', Buffer.from(`${secret}c`).toString('base64')],
    ['a planted secret in base64', Buffer.from(`a${secret}c`).toString('base64')],
    ['a planted secret in base64', Buffer.from(`ab${secret}c`).toString('base64url')],
    ['an API key', `Bearer sk-sg-${'a'.repeat(43)}`],
    ['a signed token', `${base64url({ alg: 'EdDSA' })}.${base64url({ sub: 'ann' })}.c2lnbmF0dXJl`],
  ])('finds %s in %j', (what, text) => {
    expect(secretsIn(`{"msg":"… ${text} …"}`)).toEqual([what]);
  });

  it.each(['planted', 'planted-secret-4711', 'sk-sg-abc123def456', 'a.b.c', '{"prefix":"sk-sg-aaaaaa"}'])('finds nothing in %j', (text) => {
    expect(secretsIn(text)).toEqual([]);
  });
});
