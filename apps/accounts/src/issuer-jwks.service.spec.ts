import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startOAuthServer, type OAuthServer } from '@skillgate/testing/oauth-server';
import { jwtVerify } from 'jose';
import { makeIssuerJwks, type KeyTimes } from './issuer-jwks.js';

let server: OAuthServer;
const times: KeyTimes = { fresh: 0, cooldown: 0, believed: 60_000 };

beforeEach(async () => {
  server = await startOAuthServer();
});
afterEach(() => server.close());

const keysOf = (more: Partial<KeyTimes> = {}) => makeIssuerJwks({ issuer: server.issuer }, { ...times, ...more });
const verify = async (keys: ReturnType<typeof keysOf>, header = {}) =>
  (await jwtVerify(await server.signJwt({ sub: 'ann' }, header), keys, { algorithms: ['RS256'] })).payload.sub;
const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'issuer-unavailable' });

describe('the keys of an issuer', () => {
  it('are discovered, and read once for all tokens of their time', async () => {
    const keys = keysOf({ fresh: 60_000 });
    for (let n = 0; n < 4; n += 1) expect(await verify(keys)).toBe('ann');
    expect(server.keysFetched).toBe(1);
  });

  it('go on beyond their time while the issuer cannot be reached', async () => {
    const keys = keysOf();
    await verify(keys);
    server.misbehave.keysStatus = 503;
    expect(await verify(keys)).toBe('ann');
    expect(server.keysFetched).toBe(2);
  });

  it('are asked for again only after a while when the last try failed', async () => {
    const keys = keysOf({ cooldown: 60_000 });
    await verify(keys);
    server.misbehave.keysStatus = 503;
    for (let n = 0; n < 4; n += 1) await verify(keys);
    expect(server.keysFetched).toBe(2);
  });

  it('that are not known give no verdict while nobody can tell, and a verdict as soon as somebody can', async () => {
    const keys = keysOf();
    await verify(keys);
    server.misbehave.keysStatus = 503;
    await expect(verify(keys, { kid: 'new' })).rejects.toEqual(unavailable);
    server.misbehave.keysStatus = undefined;
    await expect(verify(keys, { kid: 'new' })).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('are believed for no longer than was said', async () => {
    const keys = keysOf({ believed: -1 });
    await verify(keys);
    server.misbehave.keysStatus = 503;
    await expect(verify(keys)).rejects.toEqual(unavailable);
  });

  it('are looked for again after a first try in vain', async () => {
    server.misbehave.keysStatus = 503;
    const keys = keysOf({ cooldown: 60_000 });
    await expect(verify(keys)).rejects.toEqual(unavailable);
    server.misbehave.keysStatus = undefined;
    expect(await verify(keys)).toBe('ann');
  });

  it('are not those of a document that names another issuer', async () => {
    const { port } = new URL(server.issuer);
    const keys = makeIssuerJwks({ issuer: `http://localhost:${port}` }, times);
    await expect(verify(keys)).rejects.toEqual(unavailable);
    expect(server.keysFetched).toBe(0);
  });
});
