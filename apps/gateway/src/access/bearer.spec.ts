import { describe, expect, it } from '@jest/globals';
import { credentialOf } from './bearer.js';

const key = `sk-sg-${'a'.repeat(43)}`;

describe('the Authorization header', () => {
  it.each([`Bearer ${key}`, `bearer ${key}`, `Bearer  ${key} `])('gives the key of %j', (header) => {
    expect(credentialOf(header)).toEqual({ kind: 'key', key });
  });

  it.each(['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'])('gives the token of %j', (token) => {
    expect(credentialOf(`Bearer ${token}`)).toEqual({ kind: 'token', token });
  });

  it.each([
    [undefined, 'missing-api-key'],
    ['', 'missing-api-key'],
    [`Basic ${key}`, 'invalid-api-key'],
    ['Bearer sk-other', 'invalid-api-key'],
    ['Bearer a.b', 'invalid-api-key'],
    ['Bearer a.b.c.d.e', 'invalid-api-key'], // an encrypted token, which nobody here can read
    [`Bearer ${key}x`, 'invalid-api-key'],
    [`Bearer a.${'b'.repeat(17_000)}.c`, 'invalid-api-key'],
  ])('is refused as %.80j', (header, slug) => {
    expect(() => credentialOf(header)).toThrow(expect.objectContaining({ slug }));
  });

  it('is never quoted in a refusal', () => {
    expect(() => credentialOf('Bearer sk-sg-secret')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
  });
});
