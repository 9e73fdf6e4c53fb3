import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { startOAuthServer, type OAuthServer } from './oauth-server.js';

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuthServer({ accessTokenSeconds: 2 });
});
afterAll(() => server?.close());

const redirectUri = 'http://127.0.0.1/callback';

async function signIn(): Promise<{ code: string; verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: server.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid offline_access',
    state: 's',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const landed = new URL(await server.approve(`${server.issuer}/auth?${query}`));
  expect(landed.origin + landed.pathname).toBe(redirectUri);
  return { code: landed.searchParams.get('code') ?? '', verifier };
}

async function ask(form: Record<string, string>): Promise<{ status: number; body: Record<string, string> }> {
  const authorization = `Basic ${Buffer.from(`${server.clientId}:${server.clientSecret}`).toString('base64')}`;
  const answer = await fetch(`${server.issuer}/token`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
  const said = await answer.text();
  return { status: answer.status, body: said.startsWith('{') ? (JSON.parse(said) as Record<string, string>) : {} };
}

const exchange = ({ code, verifier }: { code: string; verifier: string }) =>
  ask({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri });
const refresh = (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token });

describe('the OAuth server of the specs', () => {
  it('gives tokens for a code once, to who knows the verifier', async () => {
    const given = await signIn();
    expect(await exchange({ ...given, verifier: 'x'.repeat(43) })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const again = await signIn();
    expect(await exchange(again)).toMatchObject({ status: 200, body: { expires_in: 2 } });
    expect((await exchange(again)).status).toBe(400);
  });

  it('rotates refresh tokens, and the second use of one kills the whole family', async () => {
    const { body: first } = await exchange(await signIn());
    const { body: second } = await refresh(first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await refresh(first.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect((await refresh(second.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect(server.refreshes()).toBe(1);
  });

  it('fails as it is told to, and notes what it was asked', async () => {
    const before = server.tokenRequests.length;
    server.misbehave.tokenError = 'invalid_grant';
    expect(await refresh('any')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    server.misbehave.tokenError = undefined;
    server.misbehave.tokenStatus = 503;
    expect((await refresh('any')).status).toBe(503);
    server.misbehave.tokenStatus = undefined;
    expect(server.tokenRequests.slice(before).map(({ status }) => status)).toEqual([400, 503]);
  });

  it('signs what it is given with the key that it publishes', async () => {
    const token = await server.signJwt({ sub: 'somebody', aud: 'house' });
    const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`));
    expect((await jwtVerify(token, keys, { issuer: server.issuer, audience: 'house' })).payload).toMatchObject({ sub: 'somebody' });
  });
});
