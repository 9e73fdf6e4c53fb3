import { Injectable } from '@nestjs/common';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { isRefusal, refuse, unavailable } from '@skillgate/contracts/refusal';
import { Wire } from '@skillgate/wire/wire';
import { LRUCache } from 'lru-cache';

/** Milliseconds that an answer counts as fresh when nobody demands a newer epoch. */
const freshMs = 1_000;

/** What accounts may use, read from their owner and kept for a moment. */
@Injectable()
export class AccountEntitlements {
  readonly #recent = new LRUCache<string, Entitlements>({ max: 10_000, ttl: freshMs });

  constructor(private readonly wire: Wire) {}

  /** At least as new as `minEpoch`. Refuses `ticket-invalid` for an account that is gone. */
  async of(account: string, minEpoch: number, signal: AbortSignal): Promise<Entitlements> {
    const recent = this.#recent.get(account);
    if (recent && recent.policyEpoch >= minEpoch) return recent;
    try {
      const entitlements = await this.wire.call(getEntitlements, { account, minEpoch }, { signal });
      this.#recent.set(account, entitlements);
      return entitlements;
    } catch (error) {
      if (isRefusal(error, 'unknown-account')) throw refuse('ticket-invalid', 'The account of this ticket is gone; sign in again.');
      if (isRefusal(error, 'epoch-not-reached')) throw unavailable('entitlements-behind', error.message, 200);
      throw error;
    }
  }
}
