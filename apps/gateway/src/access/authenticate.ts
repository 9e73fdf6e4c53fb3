import { createHash } from 'node:crypto';
import { authenticate, authenticateToken, type Principal } from '@skillgate/contracts/calls/accounts';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { LRUCache } from 'lru-cache';
import { credentialOf, invalidKey, type Credential } from './bearer.js';

/** A revoked key or a changed tier is noticed by every replica within this time; by the one that changed it, at once. */
const rememberMs = 5_000;
const maxRemembered = 10_000;

/** Answers who an `Authorization` header stands for. */
export class Authenticator {
  /** By hash, so that no key lies about in memory. Promises, so that a burst with one key asks once. */
  private readonly known = new LRUCache<string, Promise<Principal>>({ max: maxRemembered, ttl: rememberMs });

  constructor(private readonly wire: Pick<Wire, 'call'>) {}

  /** Refusals: `missing-api-key`, `invalid-api-key`, those of `token-…`; `unavailable` when accounts cannot be asked. */
  async principalOf(authorization: string | undefined): Promise<Principal> {
    const credential = credentialOf(authorization);
    const principal = await this.remembered(credential);
    // What was remembered may have ended since; the moment is the gateway's to watch, for it asks no more.
    if (principal.expiresAt !== undefined && principal.expiresAt * 1000 <= Date.now()) throw ended(credential);
    return principal;
  }

  /** After a change to accounts or keys through this instance: the next request sees it. */
  forget(): void {
    this.known.clear();
  }

  private remembered(credential: Credential): Promise<Principal> {
    const shown = credential.kind === 'key' ? credential.key : credential.token;
    const hash = createHash('sha256').update(shown).digest('base64url');
    const remembered = this.known.get(hash);
    if (remembered) return remembered;
    const asked = this.ask(credential);
    this.known.set(hash, asked);
    asked.catch(() => {
      if (this.known.peek(hash) === asked) this.known.delete(hash);
    });
    return asked;
  }

  private async ask(credential: Credential): Promise<Principal> {
    try {
      if (credential.kind === 'key') return await this.wire.call(authenticate, { key: credential.key });
      return await this.wire.call(authenticateToken, { token: credential.token });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw refusals[error.slug]?.() ?? error;
    }
  }
}

const tokenExpired = () => refuse('token-expired', 'This token has expired. Sign in again and send the new one.');

const ended = ({ kind }: Credential) => (kind === 'key' ? invalidKey() : tokenExpired());

/** In words for who holds the credential, and under slugs that mean the same wherever they stand: `unknown-user` is also a path's. */
const refusals: Readonly<Record<string, () => Error>> = {
  'unknown-key': invalidKey,
  'token-expired': tokenExpired,
  'token-invalid': () =>
    refuse('token-invalid', 'This token is not accepted here. Sign in with an issuer that the operator of this installation has set up.'),
  'unknown-user': () =>
    refuse('token-without-user', 'The token is good, and nobody here has it. Ask an admin of your account to add you as a user.'),
  'user-revoked': () =>
    refuse('token-user-revoked', 'The user of this token has no access any more. Ask an admin of your account.'),
};
