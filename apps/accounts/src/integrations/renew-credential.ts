import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable, refuse, unavailable, type HouseError } from '@skillgate/contracts/refusal';
import type { Credential, Secret } from './credential.js';
import { claimSeconds, type Standing } from './credentials-store.js';
import type { CredentialRoom, IntegrationsRoom } from './integrations-room.js';
import { providerFailure, type ProviderFailure } from './provider-error.js';
import type { OAuthProvider, Provider } from './provider-table.js';
import { tokenSet, type TokenSet } from './token-set.js';

/** Milliseconds between two looks at what another replica has made of it; with some chance in it, so that replicas spread. */
const lookEveryMs = 80;
/** A token that has been renewed at the provider must be written down: the one before it is dead. */
const writeTries = 20;
const writeEveryMs = 500;
/** Left of an access token's life that is still worth a lease when the provider cannot be reached. */
const worthMs = 5_000;

const self = { service: 'accounts', roles: [] };

/**
 * Renews access tokens: one at a time for each credential in all replicas, without a transaction that waits for a provider.
 * Who does not get the claim looks again until the winner has written, and takes what stands then.
 */
export class RenewCredential {
  private readonly running = new Map<string, Promise<Credential>>();

  constructor(
    private readonly room: IntegrationsRoom,
    private readonly sealed: CredentialRoom,
  ) {}

  /** Renewals that run here; a drain waits for them, since a rotated token that is not written down is lost. */
  idle = async (): Promise<void> => void (await Promise.allSettled(this.running.values()));

  /**
   * The credential with a newer secret. All callers of this process share one renewal, which goes on when they leave.
   *
   * @param user for the standing of the credential while it is waited for
   * @throws refusals `integration-expired`, `integration-not-connected`; unavailable `provider-away`, `credential-busy`
   */
  renew(provider: OAuthProvider, credential: Credential, user: string): Promise<Credential> {
    const key = `${credential.id}.${credential.version}`;
    const running = this.running.get(key) ?? this.begin(provider, credential, user).finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  private async begin(provider: OAuthProvider, credential: Credential, user: string): Promise<Credential> {
    const { credentials } = this.sealed;
    const end = Date.now() + claimSeconds * 1_000;
    while (Date.now() < end) {
      const claim = await credentials.claim(credential);
      if (claim !== undefined) return this.ask(provider, credential, claim, user);
      await wait(lookEveryMs * (1 + Math.random()));
      const now = await this.look(provider, credential, user);
      if (now.version !== credential.version || now.id !== credential.id) return now;
    }
    throw unavailable('credential-busy', `The access to ${provider.title} is being renewed. Try again.`, 1_000);
  }

  private async ask(provider: OAuthProvider, credential: Credential, claim: number, user: string): Promise<Credential> {
    const tokens = tokensOf(credential);
    if (!tokens.refreshToken) return this.over(provider, credential, user, 'its access ended, and it gave nothing to renew it with');
    const asked = Date.now();
    let renewed: TokenSet;
    try {
      renewed = tokenSet(await this.room.oauth.refresh(provider, tokens.refreshToken), asked, tokens);
    } catch (error) {
      return this.failed(provider, credential, claim, user, providerFailure(error));
    }
    const secret: Secret = { tokens: renewed };
    if (await this.write(credential, secret)) return { ...credential, version: credential.version + 1, secret };
    // Connected anew or disconnected meanwhile: that stands above this token.
    this.room.log.info(
      { account: credential.account, integration: credential.integration },
      'a renewed credential was not needed any more',
    );
    return this.look(provider, credential, user);
  }

  private async failed(
    provider: OAuthProvider,
    credential: Credential,
    claim: number,
    user: string,
    failure: ProviderFailure,
  ): Promise<Credential> {
    const { account, integration } = credential;
    if (failure.kind === 'invalid-grant') return this.over(provider, credential, user, 'it does not accept the connection any more');
    await this.sealed.credentials.release(credential, claim).catch(() => undefined); // else the claim ends by itself
    this.room.log.warn({ account, integration, failure }, 'a credential could not be renewed');
    const { expiresAt = 0 } = tokensOf(credential);
    if (expiresAt > Date.now() + worthMs) return credential;
    throw failure.kind === 'away'
      ? unavailable('provider-away', `${provider.title} did not answer, so its access could not be renewed. Try again.`, 2_000)
      : unavailable(
          'provider-refuses',
          `${provider.title} refuses this installation (${failure.code}); its operator must look. Try again later.`,
          60_000,
        );
  }

  /** No good any more, unless somebody else has a newer one by now. */
  private async over(provider: OAuthProvider, credential: Credential, user: string, why: string): Promise<Credential> {
    const told = await this.room.integrations.expire(credential, 'expired', `${provider.title} says that ${why}. Connect it again.`, self);
    const { account, integration } = credential;
    if (told) this.room.log.warn({ account, integration }, 'an integration must be connected again');
    const now = await this.look(provider, credential, user);
    if (now.version === credential.version && now.id === credential.id)
      throw mustReconnect(provider, `${provider.title} says that ${why}.`);
    return now;
  }

  private async look(provider: OAuthProvider, { account, integration }: Credential, user: string): Promise<Credential> {
    return leasable(await this.sealed.credentials.standing(account, integration, user), provider);
  }

  private async write(credential: Credential, secret: Secret): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.room.integrations.renewed(credential, secret, self);
      } catch (error) {
        const { account, integration } = credential;
        if (!isUnavailable(error) || tries === writeTries) {
          this.room.log.error(
            { err: error, account, integration },
            'a renewed credential could not be written down; the integration must be connected again',
          );
          throw error;
        }
        await wait(writeEveryMs);
      }
    }
  }
}

/** The credential that may be leased. Refuses `unknown-account`, `user-revoked`, `tools-not-allowed` and by the state of the connection. */
export function leasable(standing: Standing | null, provider: Provider): Credential {
  if (!standing || standing.userRevoked)
    throw refuse('user-revoked', 'The user of this grant is not there any more; nothing is leased for them.');
  if (!standing.tools) throw refuse('tools-not-allowed', "The account's plan has no tools any more; its owner can change the plan.");
  const { status, credential, why } = standing;
  if (status === 'expired' || status === 'revoked') throw mustReconnect(provider, why ?? status);
  if (status === 'disconnected') throw notConnected(provider, 'is not connected');
  // Marked by an operator; the account's rights say connected, and there is nothing to use.
  if (!credential) throw notConnected(provider, 'is marked as connected, but no credential is held for it');
  return credential;
}

const notConnected = (provider: Provider, what: string): HouseError =>
  refuse('integration-not-connected', `${provider.title} ${what}. An admin of the account connects it with ${connectBy(provider)}.`);

export const mustReconnect = (provider: Provider, why: string): HouseError =>
  refuse('integration-expired', `${why} An admin of the account reconnects it with ${connectBy(provider)}.`, {
    reconnect: connectBy(provider),
  });

/** In the REST of the house. */
const connectBy = ({ kind, name }: Provider): string =>
  kind === 'oauth2' ? `POST /api/v1/integrations/${name}/connection` : `PUT /api/v1/integrations/${name}/credential`;

export function tokensOf({ secret }: Credential): TokenSet {
  if ('tokens' in secret) return secret.tokens;
  throw new Error('a credential of this kind has no tokens');
}
