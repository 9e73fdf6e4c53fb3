import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createUser, listUsers, revokeUser } from '@skillgate/contracts/calls/users';
import { startOAuthServer, type OAuthServer } from '@skillgate/testing/oauth-server';
import type { Wire } from '@skillgate/wire/wire';
import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { bootService } from '@skillgate/service-kit/boot';
import { accountsService } from './accounts.service-definition.js';
import { newApiKey } from './api-key.js';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';

type JwkKey = Exclude<Awaited<ReturnType<typeof importJWK>>, Uint8Array>;

let login: OAuthServer;
let strict: OAuthServer;
let personal: OAuthServer;
let house: AccountsHouse;
let gateway: Wire;

beforeAll(async () => {
  [login, strict, personal] = await Promise.all([startOAuthServer(), startOAuthServer(), startOAuthServer()]);
  const issuers = [
    { issuer: login.issuer, audience: 'skillgate', accountClaim: 'tenant', provision: true, clockSkewSeconds: 0 },
    { issuer: strict.issuer, audience: ['skillgate', 'house'], accountClaim: 'tenant', rolesClaim: 'roles', algorithms: ['RS256'] },
    // Each person an account: the subject names it.
    { issuer: personal.issuer, audience: 'skillgate', accountClaim: 'sub', provision: true },
  ];
  house = await openAccountsHouse({ SKILLGATE_OIDC_ISSUERS: JSON.stringify(issuers), SKILLGATE_OPERATOR_KEY: newApiKey() });
  ({ gateway } = house);
}, 60_000);

afterAll(async () => {
  await house?.close();
  await Promise.all([login, strict, personal].map((server) => server?.close()));
});

const now = () => Math.floor(Date.now() / 1000);
const newAccount = async () => {
  const made = await gateway.call(calls.createAccount, { authority: house.operator, name: 'Acme', tier: 'pro' });
  return { id: made.id, admin: await house.ticket({ account: made.id, user: made.admin, roles: ['admin'] }) };
};
const claims = (tenant: string, more: Record<string, unknown> = {}) => ({
  ...{ sub: 'ann', aud: 'skillgate', tenant, iat: now(), exp: now() + 60 },
  ...more,
});
const show = (token: string) => gateway.call(calls.authenticateToken, { token });
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of a configured issuer', () => {
  it('that its server really issued, by code and PKCE, opens the account that it names', async () => {
    const { id } = await newAccount();
    const idToken = await signInAt(personal, id);
    const principal = await show(idToken);
    const expected = { account: id, accountName: 'Acme', issuer: personal.issuer, subject: id, roles: ['user'], tier: 'pro' };
    expect(principal).toMatchObject(expected);
  });

  it('makes one user of its account, with the role user, however many requests come first, and that is written down', async () => {
    const { id, admin } = await newAccount();
    const token = await login.signJwt(claims(id, { name: 'Ann \0Example' }));
    const principals = await Promise.all(Array.from({ length: 12 }, () => show(token)));
    expect(new Set(principals.map(({ user }) => user)).size).toBe(1);
    const { users } = await gateway.call(listUsers, { authority: admin, account: id });
    const made = users.filter(({ identities }) => identities.length > 0);
    const identities = [{ issuer: login.issuer, subject: 'ann' }];
    expect(made).toEqual([expect.objectContaining({ name: 'Ann Example', roles: ['user'], identities })]);
    const { entries } = await gateway.call(calls.listAudit, { authority: admin, account: id, action: 'provision-user' });
    expect(entries).toEqual([expect.objectContaining({ target: made[0]!.id, actor: { service: 'accounts', subject: 'ann', roles: [] } })]);
  });

  it('tells when it ends and what the account may use', async () => {
    const { id } = await newAccount();
    const exp = now() + 30;
    expect(await show(await login.signJwt(claims(id, { exp })))).toMatchObject({ expiresAt: exp, capabilities: ['tools'], policyEpoch: 1 });
  });

  it('stands for a user whom an admin made where its issuer may make none, and does no more than that user', async () => {
    const { id, admin } = await newAccount();
    const token = (roles?: unknown) => strict.signJwt(claims(id, { aud: ['other', 'house'], ...(roles !== undefined && { roles }) }));
    await expect(show(await token())).rejects.toEqual(refused('unknown-user'));
    const identity = { issuer: strict.issuer, subject: 'ann' };
    await gateway.call(createUser, { authority: admin, account: id, name: 'Ann', roles: ['user', 'admin'], identity });
    const rolesBy = async (claimed?: unknown) => (await show(await token(claimed))).roles;
    expect(await rolesBy(['admin', 'user', 'janitor'])).toEqual(['admin', 'user']);
    expect(await rolesBy('user')).toEqual(['user']);
    expect(await rolesBy()).toEqual(['user']);
    for (const [claimed, why] of [[[], 'no role'], ['janitor', 'no role'], [null, 'no role'], [{ a: 1 }, 'no role'], [['operator'], 'holds operator']] as const) {
      const message = expect.stringMatching(new RegExp(`claim "roles" .*${why}.* should hold one of user, admin`));
      await expect(show(await token(claimed))).rejects.toMatchObject({ kind: 'refusal', slug: 'token-without-role', message });
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['numbers', { name: 42, preferred_username: ['x'] }, 'ann'],
    ['nothing that is seen', { name: ' \u200b\n', preferred_username: 'annie' }, 'annie'],
    ['lines, directions and half a character', { name: 'Ann\r\n\u202e Example\ud83e' }, 'Ann Example'],
    ['more than fits', { name: `${'x'.repeat(99)}🦀` }, 'x'.repeat(99)],
  ])('makes a user with a name that can be shown where its name has %s', async (_what, names, expected) => {
    const { id, admin } = await newAccount();
    await show(await login.signJwt(claims(id, names)));
    const { users } = await gateway.call(listUsers, { authority: admin, account: id });
    expect(users.at(-1)?.name).toBe(expected);
  });

  it('may write its account in capitals and opens that same one', async () => {
    const { id } = await newAccount();
    const [one, other] = [await show(await login.signJwt(claims(id))), await show(await login.signJwt(claims(id.toUpperCase())))];
    expect(other).toEqual({ ...one, expiresAt: other.expiresAt });
  });

  it('makes no user of the operator account, unless the configuration names that account', async () => {
    const operatorAccount = await house.operatorAccount();
    await expect(show(await login.signJwt(claims(operatorAccount)))).rejects.toEqual(refused('unknown-user'));
    const named = await openAccountsHouse({ SKILLGATE_OPERATOR_KEY: newApiKey() });
    const account = await named.operatorAccount();
    const issuer = { issuer: login.issuer, audience: 'skillgate', accountClaim: 'tenant', provision: true, accounts: [account.toUpperCase()] };
    const replica = await bootService(accountsService, { ...named.env, SKILLGATE_OIDC_ISSUERS: JSON.stringify([issuer]) });
    try {
      await named.service.stop(); // from here on the replica answers
      const token = await login.signJwt(claims(account, { sub: 'olga' }));
      expect(await named.gateway.call(calls.authenticateToken, { token })).toMatchObject({ account, roles: ['user'] });
    } finally {
      await replica.stop();
      await named.close();
    }
  }, 30_000);

  it('opens another account by another user', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const [first, second] = await Promise.all([one, two].map(async ({ id }) => show(await login.signJwt(claims(id)))));
    expect([first!.account, second!.account]).toEqual([one.id, two.id]);
    expect(first!.user).not.toBe(second!.user);
  });
});

describe('a token that does not open', () => {
  /** A genuine issuer may still say what is no text. */
  const unfit: [string, unknown][] = [
    ...([['a number', 42], ['true', true], ['null', null], ['a list', ['ann']], ['an object', { toString: 'ann' }]] as [string, unknown][]),
    ...([['U+0000', 'a\0b'], ['empty', ''], ['blank', '  '], ['half a character', 'a\ud83e'], ['a line break', 'ann\nadmin']] as [string, unknown][]),
    ...([['an escape', 'a\u001b[0m'], ['turned around', 'ann\u202e'], ['too long', 'x'.repeat(256)]] as [string, unknown][]),
  ];
  const forgeries: [string, string, (account: string) => Promise<string> | string][] = [
    ['is expired', 'token-expired', (id) => login.signJwt(claims(id, { exp: now() - 1 }))],
    ['is not valid yet', 'token-invalid', (id) => login.signJwt(claims(id, { nbf: now() + 60 }))],
    ['was issued in the future', 'token-invalid', (id) => login.signJwt(claims(id, { iat: now() + 60, exp: now() + 120 }))],
    ['never ends', 'token-invalid', (id) => login.signJwt(claims(id, { exp: undefined }))],
    ['says not when it was issued', 'token-invalid', (id) => login.signJwt(claims(id, { iat: undefined }))],
    ['ends beyond all time', 'token-invalid', (id) => login.signJwt(claims(id, { exp: 1e300 }))],
    ...unfit.map(
      ([what, sub]): (typeof forgeries)[number] => [`has a subject that is ${what}`, 'token-invalid', (id) => login.signJwt(claims(id, { sub }))],
    ),
    ...unfit.slice(0, 6).map(
      ([what, value]): (typeof forgeries)[number] => [`names an account by ${what}`, 'token-invalid', () => login.signJwt(claims(value as string))],
    ),
    ['is for another audience', 'token-invalid', (id) => login.signJwt(claims(id, { aud: 'another-house' }))],
    ['is for no audience', 'token-invalid', (id) => login.signJwt(claims(id, { aud: undefined }))],
    ['is of an issuer that nobody configured', 'token-invalid', (id) => login.signJwt(claims(id, { iss: 'https://other.example.org' }))],
    ['is signed by one issuer and names another', 'token-invalid', (id) => login.signJwt(claims(id, { iss: strict.issuer }))],
    ['names no account', 'token-invalid', () => login.signJwt(claims('acme'))],
    ['names an account that is not there', 'unknown-user', () => login.signJwt(claims(randomUUID()))],
    ['names a key that its issuer does not have', 'token-invalid', (id) => login.signJwt(claims(id), { kid: 'unheard-of' })],
    ['is no JWT', 'token-invalid', () => 'nonsense'],
    ['has alg none', 'token-invalid', (id) => `${base64url({ alg: 'none' })}.${base64url({ ...claims(id), iss: login.issuer })}.`],
    ['has alg none behind a genuine signature', 'token-invalid', async (id) => {
      const [, payload, signature] = (await login.signJwt(claims(id))).split('.');
      return `${base64url({ alg: 'none', kid: login.publicKey.kid })}.${payload}.${signature}`;
    }],
    ['was changed behind its signature', 'token-invalid', async (id) => {
      const [header, , signature] = (await login.signJwt(claims(randomUUID()))).split('.');
      return `${header}.${base64url({ ...claims(id), iss: login.issuer })}.${signature}`;
    }],
    ['is an HMAC under the public key as PEM', 'token-invalid', async (id) => {
      const pem = await exportSPKI((await importJWK(login.publicKey, 'RS256')) as JwkKey);
      return hmacToken(id, pem);
    }],
    ['is an HMAC under the public key as JWK', 'token-invalid', (id) => hmacToken(id, JSON.stringify(login.publicKey))],
    ['is signed by another key under the kid of the issuer', 'token-invalid', (id) => signedByStranger(id, { kid: login.publicKey.kid })],
    ['brings its own key along', 'token-invalid', async (id) => {
      const { publicKey } = await generateKeyPair('RS256', { extractable: true });
      return signedByStranger(id, { jwk: { kty: 'RSA', ...(await crypto.subtle.exportKey('jwk', publicKey)) } });
    }],
  ];

  it.each(forgeries)('%s: %s', async (_what, slug, make) => {
    const { id, admin } = await newAccount();
    await expect(show(await make(id))).rejects.toEqual(refused(slug));
    const { users } = await gateway.call(listUsers, { authority: admin, account: id });
    expect(users.flatMap(({ identities }) => identities)).toEqual([]);
  });

  it('says the same whatever is wrong with it', async () => {
    const { id } = await newAccount();
    const wrong = await Promise.all(forgeries.filter(([, slug]) => slug === 'token-invalid').map(([, , make]) => make(id)));
    const answers = await Promise.all(wrong.map((token) => show(token).catch((error) => ({ ...error.toWire(), correlationId: '' }))));
    for (const each of answers) expect(each).toEqual(answers[0]);
  });

  it('is of a revoked user', async () => {
    const { id, admin } = await newAccount();
    const token = await login.signJwt(claims(id));
    const { user } = await show(token);
    await gateway.call(revokeUser, { authority: admin, account: id, user });
    await expect(show(token)).rejects.toEqual(refused('user-revoked'));
  });
});

describe('an issuer that cannot be reached', () => {
  it('is unavailable while no keys of it are known, and its keys go on once they are', async () => {
    const away = await startOAuthServer();
    const issuers = [{ issuer: away.issuer, audience: 'skillgate', accountClaim: 'tenant', provision: true }];
    const alone = await openAccountsHouse({ SKILLGATE_OIDC_ISSUERS: JSON.stringify(issuers) });
    try {
      const { id } = await alone.gateway.call(calls.createAccount, { authority: alone.operator, name: 'Acme', tier: 'pro' });
      const ask = async (header = {}) => alone.gateway.call(calls.authenticateToken, { token: await away.signJwt(claims(id), header) });
      const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'issuer-unavailable' });
      away.misbehave.keysStatus = 503;
      await expect(ask()).rejects.toEqual(unavailable);
      away.misbehave.keysStatus = undefined;
      await expect(ask()).resolves.toMatchObject({ account: id });
      const fetched = away.keysFetched;
      await Promise.all(Array.from({ length: 5 }, () => ask()));
      expect(away.keysFetched).toBe(fetched);
      await away.close();
      await expect(ask()).resolves.toMatchObject({ account: id });
    } finally {
      await alone.close();
      await away.close().catch(() => undefined);
    }
  }, 30_000);
});

function hmacToken(account: string, secret: string): string {
  const signed = `${base64url({ alg: 'HS256', kid: login.publicKey.kid })}.${base64url({ ...claims(account), iss: login.issuer })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

async function signedByStranger(account: string, header: object): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256');
  return new SignJWT({ ...claims(account), iss: login.issuer }).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey);
}

/** What a client does: the code flow with PKCE. @returns the ID token */
async function signInAt(server: OAuthServer, person: string): Promise<string> {
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const redirect = 'http://127.0.0.1/callback';
  const wanted = { client_id: server.clientId, redirect_uri: redirect, response_type: 'code', scope: 'openid', state: 's' };
  const query = new URLSearchParams({ ...wanted, code_challenge: challenge, code_challenge_method: 'S256' });
  const came = await server.approve(`${server.issuer}/auth?${query}`, person);
  const code = new URL(came).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier };
  const basic = Buffer.from(`${server.clientId}:${server.clientSecret}`).toString('base64');
  const response = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams(form),
  });
  return ((await response.json()) as { id_token: string }).id_token;
}
