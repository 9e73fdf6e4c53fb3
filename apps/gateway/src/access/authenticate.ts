import { createHash } from 'node:crypto';
import { authenticate, type Principal } from '@skillgate/contracts/calls/accounts';
import { isRefusal } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { LRUCache } from 'lru-cache';
import { bearerKey, invalidKey } from './bearer.js';

/** A revoked key or a changed tier is noticed by every replica within this time; by the one that changed it, at once. */
const rememberMs = 5_000;
const maxRemembered = 10_000;

/** Answers who an `Authorization` header stands for. */
export class Authenticator {
  /** By hash, so that no key lies about in memory. Promises, so that a burst with one key asks once. */
  private readonly known = new LRUCache<string, Promise<Principal>>({ max: maxRemembered, ttl: rememberMs });

  constructor(private readonly wire: Pick<Wire, 'call'>) {}

  /** Refusals: `missing-api-key`, `invalid-api-key`; `unavailable` when accounts cannot be asked. */
  async principalOf(authorization: string | undefined): Promise<Principal> {
    const key = bearerKey(authorization);
    const hash = createHash('sha256').update(key).digest('base64url');
    const remembered = this.known.get(hash);
    if (remembered) return remembered;
    const asked = this.ask(key);
    this.known.set(hash, asked);
    asked.catch(() => this.known.delete(hash));
    return asked;
  }

  /** After a change to accounts or keys through this instance: the next request sees it. */
  forget(): void {
    this.known.clear();
  }

  private async ask(key: string): Promise<Principal> {
    try {
      return await this.wire.call(authenticate, { key });
    } catch (error) {
      if (isRefusal(error, 'unknown-key')) throw invalidKey();
      throw error;
    }
  }
}
