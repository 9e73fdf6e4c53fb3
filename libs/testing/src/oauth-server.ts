import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { follow } from './oauth-browser.js';
import { plant } from './planted.js';

export interface OAuthServerOptions {
  /** Seconds that an access token lives. Default 3600. */
  accessTokenSeconds?: number;
  /** Where codes may be sent to. Default `http://127.0.0.1/callback`. */
  redirectUris?: readonly string[];
  clientId?: string;
  clientSecret?: string;
  tokenAuthMethod?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

/** What the server is to do otherwise; changed at any time. */
export interface Misbehaviour {
  /** Error code that the token endpoint answers with, such as `invalid_grant`, with status 400. */
  tokenError?: string;
  /** Status that the token endpoint answers everything with, and no more: 503. */
  tokenStatus?: number;
  /** Milliseconds before the token endpoint begins to work. */
  tokenDelayMs?: number;
  /** Status of the revocation endpoint. */
  revocationStatus?: number;
  /** Seconds that access tokens live from now on. */
  accessTokenSeconds?: number;
  /** Status in place of the keys. */
  keysStatus?: number;
}

export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  readonly status: number;
  /** The parsed answer: secrets to look for in logs, too. */
  readonly answer: Record<string, unknown>;
}

export interface OAuthServer {
  /** The issuer, without a slash at its end; discovery is at `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly misbehave: Misbehaviour;
  /** Every answered request to the token endpoint. */
  readonly tokenRequests: readonly TokenRequest[];
  /** Tokens that were shown to the revocation endpoint. */
  readonly revoked: readonly string[];
  /** Times that the keys were fetched. */
  readonly keysFetched: number;
  refreshes(): number;
  /** Whether it takes this access token now. */
  accepts(accessToken: string): Promise<boolean>;
  /** Follows an authorization URL as a browser whose user signs in and agrees. @returns where it was sent in the end */
  approve(authorizationUrl: string, login?: string): Promise<string>;
  /** A compact JWS of the server's own key (RS256): `claims` are taken as they stand, `iss` unless given. */
  signJwt(claims: Record<string, unknown>, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>;
  /** The public half of that key, with its `kid`. */
  readonly publicKey: JWK;
  close(): Promise<void>;
}

/**
 * A real OAuth 2 and OpenID Connect server (`oidc-provider`) on a free port of 127.0.0.1: discovery, PKCE, refresh tokens that
 * rotate and whose second use kills the whole grant, revocation, keys.
 */
export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const { default: Provider } = await quietly(() => import('oidc-provider'));
  const { clientId = 'skillgate', clientSecret = plant('client'), redirectUris = ['http://127.0.0.1/callback'] } = options;
  const authMethod = options.tokenAuthMethod ?? 'client_secret_basic';
  const { privateKey, publicKey: publicHalf } = await generateKeyPair('RS256', { extractable: true });
  const kid = 'server-key-1';
  const publicKey = { ...(await exportJWK(publicHalf)), kid, alg: 'RS256', use: 'sig' };
  const misbehave: Misbehaviour = {};
  const tokenRequests: TokenRequest[] = [];
  const revoked: string[] = [];
  let keysFetched = 0;

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const settings: Configuration = {
    clients: [
      {
        client_id: clientId,
        ...(authMethod !== 'none' && { client_secret: clientSecret }),
        token_endpoint_auth_method: authMethod,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'openid offline_access profile email files',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } as never] },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'files'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, name: sub, email: `${sub}@example.com` }) }),
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: () => misbehave.accessTokenSeconds ?? options.accessTokenSeconds ?? 3_600,
      IdToken: 3_600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 3_600,
      Interaction: 600,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_context, client, token) => client.clientId === token.clientId },
      userinfo: { enabled: true },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['only for tests'] },
    conformIdTokenClaims: false,
  };
  const provider = await quietly(() => new Provider(issuer, settings));

  /** Signs in as the browser's user and agrees to everything that is asked for. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    const login = String(params.login_hint ?? 'owner');
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: login } });
    const accountId = session?.accountId ?? login;
    const grant = (grantId && (await provider.Grant.find(grantId))) || new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
  }

  provider.use(async (context, next) => {
    const { path } = context;
    if (path === '/jwks') keysFetched += 1;
    if (path === '/jwks' && misbehave.keysStatus) return void (context.status = misbehave.keysStatus);
    if (path === '/token') return token(context as KoaContextWithOIDC, next);
    if (path === '/token/revocation' && misbehave.revocationStatus) return void (context.status = misbehave.revocationStatus);
    await next();
    if (path === '/token/revocation') revoked.push(String(context.oidc?.params?.token));
  });

  async function token(context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    if (misbehave.tokenDelayMs) await wait(misbehave.tokenDelayMs);
    // The body is read here only when it decides, and then by nobody else.
    const refused = misbehave.tokenError && !misbehave.tokenStatus ? new URLSearchParams(await bodyOf(context.req)) : undefined;
    if (refused) context.status = 400;
    else if (misbehave.tokenStatus) context.status = misbehave.tokenStatus;
    else await next();
    if (refused) context.body = { error: misbehave.tokenError, error_description: 'as the test wants it' };
    const form = Object.fromEntries(refused ?? Object.entries((context.oidc?.params ?? {}) as Record<string, string>));
    tokenRequests.push({ form, status: context.status, answer: (context.body ?? {}) as Record<string, unknown> });
  }

  const answer = provider.callback();
  server.on('request', (request, response) => {
    const handle = request.url?.startsWith('/interaction/') ? interact : answer;
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });

  return {
    issuer,
    clientId,
    clientSecret,
    misbehave,
    tokenRequests,
    revoked,
    get keysFetched() {
      return keysFetched;
    },
    refreshes: () => tokenRequests.filter(({ form, status }) => form.grant_type === 'refresh_token' && status === 200).length,
    accepts: async (token) => (await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } })).ok,
    approve: (url, login) => follow(login ? withLogin(url, login) : url, issuer),
    signJwt: (claims, header = {}) => sign({ iss: issuer, ...claims }, { alg: 'RS256', kid, ...header }, privateKey),
    publicKey,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const sign = (claims: Record<string, unknown>, header: { alg: string }, key: CryptoKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader(header).sign(key);

function withLogin(url: string, login: string): string {
  const changed = new URL(url);
  changed.searchParams.set('login_hint', login);
  return changed.href;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** The package tells the console of development settings when it is loaded and made; here they are meant. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => (String(said[0]).includes('oidc-provider WARNING') ? undefined : warn(...said));
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
