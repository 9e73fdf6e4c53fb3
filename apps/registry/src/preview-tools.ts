import { Injectable } from '@nestjs/common';
import type { previewTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import { permit } from '@skillgate/gating/permit';
import { AccountActivation } from './account-activation.js';
import { definitionTokens } from './definition-tokens.js';
import { ShownTokens } from './shown-tokens.js';

/** The decision of an activation for whoever wants to know it: no receipt is needed, no grant is given. */
@Injectable()
export class PreviewTools {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly accounts: AccountActivation,
  ) {}

  async preview(asked: CallParsedInput<typeof previewTools>): Promise<CallAnswer<typeof previewTools>> {
    const ticket = await this.tokens.anyTicket(asked.ticket);
    const { account = ticket.account, requires, minEpoch = 0 } = asked;
    const own = account === ticket.account;
    if (!own) await permit(async () => ticket, asked.ticket, 'read-account', { account });
    // A skill without a name cannot be locked; no slug has an underscore.
    const asking = { skill: asked.skill ?? '_', version: 'preview', requires };
    const persona = asked.persona !== undefined ? { slug: asked.persona } : own ? ticket.persona : undefined;
    const deciding = this.accounts.of(account, own ? Math.max(ticket.policyEpoch, minEpoch) : minEpoch, [asking], persona);
    const { activation, entitlements } = await (own ? deciding : deciding.catch(tellUnknown));
    const tools = activation.openings.map(({ tool, policy }) => {
      const { tool: name, profile, effect, executor } = tool;
      return { name, profile, effect, executor, policy, tokens: definitionTokens(tool) };
    });
    const asksForTools = requires.profiles.length > 0 || requires.tools.length > 0;
    return {
      loadable: tools.length > 0 || !asksForTools,
      profiles: activation.profiles.map(({ name }) => name),
      tools,
      withheld: [...activation.withheld],
      tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
      policyEpoch: entitlements.policyEpoch,
    };
  }
}

/** It is not the operator's ticket that is wrong. */
function tellUnknown(error: unknown): never {
  if (isRefusal(error, 'ticket-invalid')) throw refuse('unknown-account', 'There is no such account, or not any more.');
  throw error;
}
