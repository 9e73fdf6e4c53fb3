import { refuse } from '@skillgate/contracts/refusal';
import * as openid from 'openid-client';
import { at, normalAnswer } from './normal-answer.js';
import type { OAuthClients } from './oauth-clients.js';
import type { OAuthProvider } from './provider-table.js';
import type { TokenAnswer } from './token-set.js';

/** Seconds that a provider may take for one answer; shorter than a refresh claim, see `claimSeconds`. */
export const providerSeconds = 8;
const longestLabel = 200;

export interface Exchanged {
  readonly answer: TokenAnswer;
  /** Which account at the provider, where it says so. */
  readonly label: string | null;
}

/**
 * The providers over HTTP, by `openid-client`. What is thrown are the library's errors, which may carry tokens: read them
 * with `providerFailure` and let them go no further.
 */
export class OAuthRoom {
  private readonly known = new Map<string, Promise<openid.Configuration>>();

  constructor(private readonly clients: OAuthClients) {}

  hasClient(provider: OAuthProvider): boolean {
    return this.clients[provider.client] !== undefined;
  }

  newVerifier = (): string => openid.randomPKCECodeVerifier();

  async authorizationUrl(provider: OAuthProvider, ask: { redirectUri: string; state: string; verifier: string }): Promise<string> {
    const config = await this.configuration(provider);
    return openid.buildAuthorizationUrl(config, {
      ...provider.parameters,
      ...(provider.scopes.length > 0 && { [provider.scopeParameter]: provider.scopes.join(' ') }),
      redirect_uri: ask.redirectUri,
      state: ask.state,
      code_challenge: await openid.calculatePKCECodeChallenge(ask.verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /** @param landed where the provider sent the browser, with its query: `iss` is compared, the code is given for tokens */
  async exchange(provider: OAuthProvider, landed: URL, known: { state: string; verifier: string }): Promise<Exchanged> {
    const config = await this.configuration(provider);
    const answer = await openid.authorizationCodeGrant(config, landed, { expectedState: known.state, pkceCodeVerifier: known.verifier });
    return { answer, label: await this.label(provider, answer) };
  }

  async refresh(provider: OAuthProvider, refreshToken: string): Promise<TokenAnswer> {
    return openid.refreshTokenGrant(await this.configuration(provider), refreshToken);
  }

  /** @returns false where the provider has no way to revoke */
  async revoke(provider: OAuthProvider, token: string): Promise<boolean> {
    const config = await this.configuration(provider);
    if (!config.serverMetadata().revocation_endpoint) return false;
    await openid.tokenRevocation(config, token);
    return true;
  }

  /** Remembered once it is known; a discovery that failed is tried again at the next need. */
  private configuration(provider: OAuthProvider): Promise<openid.Configuration> {
    const known = this.known.get(provider.name);
    if (known) return known;
    const made = this.configure(provider);
    this.known.set(provider.name, made);
    made.catch(() => this.known.delete(provider.name));
    return made;
  }

  private async configure(provider: OAuthProvider): Promise<openid.Configuration> {
    const client = this.clients[provider.client];
    if (!client) throw notConfigured(provider.title, `SKILLGATE_OAUTH_CLIENTS has no client "${provider.client}"`);
    const auth = {
      client_secret_post: () => openid.ClientSecretPost(client.secret),
      client_secret_basic: () => openid.ClientSecretBasic(client.secret),
      none: () => openid.None(),
    }[provider.clientAuth]();
    const { issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = provider;
    const own = {
      ...(authorizationEndpoint && { authorization_endpoint: authorizationEndpoint }),
      ...(tokenEndpoint && { token_endpoint: tokenEndpoint }),
      ...(revocationEndpoint && { revocation_endpoint: revocationEndpoint }),
    };
    const metadata = { client_secret: client.secret };
    // The table takes http:// for this machine alone.
    const insecure = [issuer, authorizationEndpoint, tokenEndpoint].some((url) => url?.startsWith('http:'))
      ? [openid.allowInsecureRequests]
      : [];
    const config =
      issuer && !(authorizationEndpoint && tokenEndpoint)
        ? await openid.discovery(new URL(issuer), client.id, metadata, auth, { timeout: providerSeconds, execute: insecure })
        : new openid.Configuration({ issuer: issuer ?? new URL(authorizationEndpoint!).origin, ...own }, client.id, metadata, auth);
    if (insecure.length > 0) openid.allowInsecureRequests(config);
    config.timeout = providerSeconds;
    const { answer } = provider;
    if (answer) config[openid.customFetch] = (url, options) => readAs(answer, url, options);
    return config;
  }

  /** A name for people; that it cannot be told must not cost the connection. */
  private async label(
    { label }: OAuthProvider,
    answer: TokenAnswer & Partial<openid.TokenEndpointResponseHelpers>,
  ): Promise<string | null> {
    if (!label) return null;
    try {
      const found =
        'claim' in label
          ? at(answer.claims?.(), label.claim)
          : 'answer' in label
            ? at(answer, label.answer)
            : 'url' in label
              ? at(await askAbout(label.url, answer.access_token), label.at)
              : null;
      return typeof found === 'string' ? shown(found) : null;
    } catch {
      return null;
    }
  }
}

/** What people may be shown of a text from outside. */
export const shown = (text: string): string | null =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .slice(0, longestLabel)
    .trim() || null;

export const notConfigured = (title: string, what: string): Error =>
  refuse('integration-not-configured', `${title} cannot be connected here: ${what}. Ask the operator of this installation.`);

async function askAbout(url: string, accessToken: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(providerSeconds * 1_000),
  });
  return answer.json();
}

async function readAs(differs: NonNullable<OAuthProvider['answer']>, url: string, options: openid.CustomFetchOptions): Promise<Response> {
  const answer = await fetch(url, options as RequestInit);
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (body === undefined) return answer;
  const normal = normalAnswer(differs, answer.status, body);
  return new Response(JSON.stringify(normal.body), { status: normal.status, headers: { 'content-type': 'application/json' } });
}
