import { Inject, Injectable } from '@nestjs/common';
import type { grantTool } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import { grantSeconds } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import { AccountActivation } from './account-activation.js';
import type { ApprovedTool } from './approved-tool.js';
import { PROFILES } from './inject.js';
import { IssueCallGrant } from './issue-call-grant.js';
import type { Profiles } from './profiles.js';
import type { ServedTools } from './served-tools.js';
import { ShownTokens } from './shown-tokens.js';
import { toolStanding } from './tool-standing.js';

type Asked = CallParsedInput<typeof grantTool>;

/** Stands where a grant names the skill that opened a tool: none did. */
const openedBy = 'operator';

/** An operator's call of one tool: decided as in any turn, granted for that call alone, and in the audit log before it can run. */
@Injectable()
export class GrantTool {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly accounts: AccountActivation,
    private readonly grants: IssueCallGrant,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  async grant({ authority, account, tool: name, chat, turn, callId, argumentsHash }: Asked): Promise<CallAnswer<typeof grantTool>> {
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'call-tool', { account });
    const { user } = await this.tokens.anyTicket(authority);
    const { tool, policyEpoch } = await this.standing(account, name);
    const call = { account, user, chat, turn, policyEpoch, tool, openedBy, callId, argumentsHash, seconds: grantSeconds };
    const grant = await this.grants.issue(call, actor, 'grant-tool');
    return { grant, tool: tool.ownName, effect: tool.effect, timeoutMs: tool.timeoutMs };
  }

  private async standing(account: string, name: string): Promise<{ tool: ApprovedTool; policyEpoch: number }> {
    const facts = await this.accounts.factsOf(account, 0).catch((error: unknown) => {
      // It is not the operator's ticket that is wrong.
      throw isRefusal(error, 'ticket-invalid') ? refuse('unknown-account', 'There is no such account, or not any more.') : error;
    });
    const { entitlements, served } = facts;
    const { policyEpoch } = entitlements;
    if (!entitlements.capabilities.includes('tools')) throw refuse('tools-not-allowed', 'This account has plain chat only; move it to a tier that includes tools.');
    const profile = this.profiles.get(served.approved(name)?.profile ?? this.profiles.homeOf(name) ?? '');
    const [announced] = served.approved(name) ? [] : served.announcedBy(name);
    if (announced) throw refuse('tool-withheld', whyUnapproved(announced), { reason: announced.tool.fault?.slug ?? 'not-approved' });
    if (!profile) throw refuse('unknown-tool', `No approved manifest and no profile has "${name}". bin/skillgate tools lists what there is.`);
    const standing = toolStanding(name, profile, facts);
    if ('withheld' in standing) throw refuse('tool-withheld', `${name} cannot run in this account: ${standing.withheld.message}`, { reason: standing.withheld.slug });
    if (standing.policy === 'allow') return { tool: standing.tool, policyEpoch };
    throw refuse('tool-withheld', `${name} runs in this account only when its user approves the call. Ask for it in a chat of that user.`, { reason: 'needs-approval' });
  }
}

function whyUnapproved({ executor, tool: { name, fault } }: ReturnType<ServedTools['announcedBy']>[number]): string {
  if (fault) return `${name} of the executor "${executor}" is quarantined and cannot be approved: ${fault.reason.replace(/\.+$/, '')}.`;
  return `${name} of the executor "${executor}" waits for an operator's approval: POST /api/v1/manifests/${executor}/approve with its name and schemaDigest.`;
}
