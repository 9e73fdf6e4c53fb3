import { Inject, Injectable } from '@nestjs/common';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { asPersona } from '@skillgate/gating/as-persona';
import { refuse } from '@skillgate/contracts/refusal';
import { Announcements } from './announcements.js';
import { AccountEntitlements } from './account-entitlements.js';
import { ApprovalsStore } from './approvals-store.js';
import { PROFILES } from './inject.js';
import { openTools, type Activation, type Asking } from './open-tools.js';
import { PoliciesStore } from './policies-store.js';
import type { Profiles } from './profiles.js';
import { recheckReceipt } from './recheck-receipt.js';
import { servedTools } from './served-tools.js';
import type { StandingFacts } from './tool-standing.js';

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

  /**
   * On facts at least as new as `minEpoch`; a persona narrows what is connected. Refuses `unknown-persona` for one that is asked for by its slug,
   * and `ticket-invalid` for one of a ticket that is gone.
   */
  async of<A extends Asking>(account: string, minEpoch: number, askings: readonly A[], persona?: { id?: string; slug: string }): Promise<{ activation: Activation<A>; entitlements: Entitlements }> {
    const { entitlements, ...facts } = await this.factsOf(account, minEpoch, persona);
    const activation = openTools(askings, { ...facts, entitlements, unmet: (asking) => recheckReceipt(asking, entitlements) });
    return { activation, entitlements };
  }

  /** What `toolStanding` is decided on, with refusals as `of` has them. */
  async factsOf(account: string, minEpoch: number, persona?: { id?: string; slug: string }): Promise<StandingFacts & { entitlements: Entitlements }> {
    const [facts, approved, policyOf] = await Promise.all([
      this.entitlements.of(account, minEpoch),
      this.approvals.recent(),
      this.policies.recent(account),
    ]);
    const seen = asPersona(facts, persona);
    if (!seen) throw personaGone(persona!);
    return { entitlements: seen.entitlements, policyOf, profiles: this.profiles, served: servedTools(approved, this.announcements.living()) };
  }
}

const personaGone = ({ id, slug }: { id?: string; slug: string }): Error =>
  id === undefined
    ? refuse('unknown-persona', `The account has no persona "${slug}".`)
    : refuse('ticket-invalid', `The persona "${slug}" was retired meanwhile; choose another model id.`);
