import { Inject, Injectable } from '@nestjs/common';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { Announcements } from './announcements.js';
import { AccountEntitlements } from './account-entitlements.js';
import { ApprovalsStore } from './approvals-store.js';
import { PROFILES } from './inject.js';
import { openTools, type Activation, type Asking } from './open-tools.js';
import { PoliciesStore } from './policies-store.js';
import type { Profiles } from './profiles.js';
import { recheckReceipt } from './recheck-receipt.js';
import { servedTools } from './served-tools.js';

/** What skills open for an account now: one decision for those who get grants and for those who ask what they would get. */
@Injectable()
export class AccountActivation {
  constructor(
    private readonly entitlements: AccountEntitlements,
    private readonly approvals: ApprovalsStore,
    private readonly announcements: Announcements,
    private readonly policies: PoliciesStore,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  /** On facts at least as new as `minEpoch`. */
  async of<A extends Asking>(account: string, minEpoch: number, askings: readonly A[]): Promise<{ activation: Activation<A>; entitlements: Entitlements }> {
    const [entitlements, approved, policyOf] = await Promise.all([
      this.entitlements.of(account, minEpoch),
      this.approvals.recent(),
      this.policies.recent(account),
    ]);
    const activation = openTools(askings, {
      entitlements,
      policyOf,
      profiles: this.profiles,
      served: servedTools(approved, this.announcements.living()),
      unmet: (asking) => recheckReceipt(asking, entitlements),
    });
    return { activation, entitlements };
  }
}
