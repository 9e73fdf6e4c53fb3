import { Inject, Injectable } from '@nestjs/common';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { Wire } from '@skillgate/wire/wire';
import type { AccountFacts } from './account-facts.js';
import type { Change } from './accounts-store.js';

/**
 * Tells the house of a change after its commit: the one place that an outbox will replace. Until then a crash between
 * commit and publish loses the event; readers are safe all the same, since they ask again and name the epoch they need.
 */
@Injectable()
export class TellEntitlements {
  constructor(
    private readonly wire: Wire,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async after({ facts, changed }: Change): Promise<AccountFacts> {
    if (!changed) return facts;
    const { account, policyEpoch } = facts.entitlements;
    try {
      await this.wire.emit(entitlementsChanged, facts.entitlements);
    } catch (err) {
      // The change stands; the caller must not be told that it failed.
      this.log.warn({ err, account, policyEpoch }, 'a change of entitlements was not published');
    }
    return facts;
  }
}
