import { Injectable } from '@nestjs/common';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { isRefusal, refuse, unavailable } from '@skillgate/contracts/refusal';
import { EntitlementsProjection } from '@skillgate/store/entitlements-projection';

/** What accounts may use, as this service was told, or as accounts answers when a ticket demands newer facts than that. */
@Injectable()
export class AccountEntitlements {
  constructor(private readonly projection: EntitlementsProjection) {}

  /** At least as new as `minEpoch`. Refuses `ticket-invalid` for an account that is gone. */
  async of(account: string, minEpoch: number): Promise<Entitlements> {
    try {
      return await this.projection.of(account, minEpoch);
    } catch (error) {
      if (isRefusal(error, 'unknown-account')) throw refuse('ticket-invalid', 'The account of this ticket is gone; sign in again.');
      if (isRefusal(error, 'epoch-not-reached')) throw unavailable('entitlements-behind', error.message, 200);
      throw error;
    }
  }
}
