import { describe, expect, it } from '@jest/globals';
import { tokenIssuersVariable } from './token-issuers.js';

const good = { issuer: 'https://login.example.org', audience: 'skillgate' };
const read = (...issuers: object[]) => tokenIssuersVariable.safeParse(JSON.stringify(issuers));

describe('the configured issuers', () => {
  it('need an issuer and an audience, and trust asymmetric signatures alone unless told', () => {
    expect(read(good).data).toEqual([
      {
        ...good,
        ...{ accountClaim: 'skillgate_account', algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'], clockSkewSeconds: 5, provision: false },
      },
    ]);
  });

  it.each<[string, object]>([
    ['an HMAC', { ...good, algorithms: ['HS256'] }],
    ['no signature at all', { ...good, algorithms: ['none'] }],
    ['no algorithm', { ...good, algorithms: [] }],
    ['plain HTTP to another machine', { ...good, issuer: 'http://login.example.org' }],
    ['keys over plain HTTP', { ...good, jwksUri: 'http://login.example.org/keys' }],
    ['a password in the address', { ...good, issuer: 'https://me:secret@login.example.org' }],
    ['no audience', { issuer: good.issuer }],
    ['a misspelt setting', { ...good, provison: true }],
  ])('take none with %s', (_what, issuer) => {
    expect(read(issuer).success).toBe(false);
  });

  it('name each issuer once, and are JSON whose text is not quoted back', () => {
    expect(read(good, good).error?.issues[0]?.message).toContain('twice');
    const { error } = tokenIssuersVariable.safeParse('hunter2');
    expect(error?.issues.map(({ message }) => message)).toEqual(['is no JSON']);
  });

  it('may stand on this machine without TLS', () => {
    expect(read({ ...good, issuer: 'http://127.0.0.1:8080' }).success).toBe(true);
  });
});
