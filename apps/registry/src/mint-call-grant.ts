import { Inject, Injectable } from '@nestjs/common';
import type { mintCallGrant } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { callGrantSeconds, type OfferClaims } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import type { Signer, Verifier } from '@skillgate/service-kit/signing';
import { AccountActivation } from './account-activation.js';
import type { ApprovedTool } from './approved-tool.js';
import { PROFILES, SIGNER } from './inject.js';
import { IssueCallGrant } from './issue-call-grant.js';
import { offerVerifier } from './offer.js';
import type { Profiles } from './profiles.js';
import { recheckReceipt } from './recheck-receipt.js';
import { ShownTokens } from './shown-tokens.js';
import { toolStanding } from './tool-standing.js';
import { factOf } from './without-it.js';

type Asked = CallParsedInput<typeof mintCallGrant>;

/** A user's yes to one call becomes a grant for it, if the account may still use the tool. */
@Injectable()
export class MintCallGrant {
  readonly #offers: Verifier<OfferClaims>;

  constructor(
    private readonly tokens: ShownTokens,
    private readonly accounts: AccountActivation,
    private readonly grants: IssueCallGrant,
    @Inject(PROFILES) private readonly profiles: Profiles,
    @Inject(SIGNER) signer: Signer,
  ) {
    this.#offers = offerVerifier(signer);
  }

  async mint({ authority, offer, callId, argumentsHash }: Asked): Promise<CallAnswer<typeof mintCallGrant>> {
    const offered = await this.#offers.verify(offer);
    const { account, user, chat, turn, skill, version, digest } = offered;
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'use-own');
    const approver = await this.tokens.anyTicket(authority);
    // Another's is answered like one that was never asked for.
    if (approver.account !== account || approver.user !== user) throw refuse('unknown-approval', 'You have no such call to approve.');
    if (approver.unattended) throw refuse('approval-unattended', 'Nobody is there to approve this call; a user has to, with a key of their own.');
    const { tool, policyEpoch } = await this.standing(offered, approver.policyEpoch);
    const call = { account, user, chat, turn, policyEpoch, tool, openedBy: `${skill}@${version}#${digest}`, callId, argumentsHash, seconds: callGrantSeconds };
    return { grant: await this.grants.issue(call, actor, 'mint-call-grant'), policyEpoch };
  }

  /** Decided on the facts of now: what was offered may have been taken away since. */
  private async standing(offered: OfferClaims, minEpoch: number): Promise<{ tool: ApprovedTool; policyEpoch: number }> {
    const facts = await this.accounts.factsOf(offered.account, minEpoch, offered.persona);
    const { entitlements, served } = facts;
    const { policyEpoch } = entitlements;
    if (!entitlements.capabilities.includes('tools')) {
      throw refuse('tools-not-allowed', 'This account has plain chat only; move it to a tier that includes tools.', { policyEpoch });
    }
    const profile = this.profiles.get(served.approved(offered.tool)?.profile ?? '');
    const unmet = recheckReceipt(offered, entitlements);
    const standing = !unmet && profile ? toolStanding(offered.tool, profile, facts) : null;
    if (standing && 'tool' in standing) return { tool: standing.tool, policyEpoch };
    const why = unmet ?? standing?.withheld;
    const fact = why ? factOf(why.message) : 'No operator approves it any more.';
    throw refuse('tool-withheld', `${offered.tool} cannot run now: ${fact} Nothing was decided: deny the call, or cancel its turn.`, { reason: why?.slug });
  }
}
