import { Inject, Injectable } from '@nestjs/common';
import type { listProfiles } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { decidePolicies } from '@skillgate/gating/tool-policy';
import { ApprovalsStore } from './approvals-store.js';
import { newestOfEach, type ApprovedTool } from './approved-tool.js';
import { definitionTokens } from './definition-tokens.js';
import { PROFILES } from './inject.js';
import { PoliciesStore } from './policies-store.js';
import { baseProfile, type Profiles } from './profiles.js';
import { ShownTokens } from './shown-tokens.js';

/** The profiles of the house with what their approved tools would cost in a prompt. */
@Injectable()
export class ListProfiles {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly approvals: ApprovalsStore,
    private readonly policies: PoliciesStore,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  async list({ authority }: CallParsedInput<typeof listProfiles>): Promise<CallAnswer<typeof listProfiles>> {
    const account = authority && (await this.tokens.anyTicket(authority)).account;
    // What stands, and not through the memory of turns: a question at the start of the house must not fill it before the first approval.
    const [versions, words] = await Promise.all([this.approvals.all(), this.policies.recentWords(account)]);
    const everything = newestOfEach(versions);
    // What is in every request anyway is no part of what skills open.
    const approved = everything.filter(({ profile }) => profile !== baseProfile);
    return {
      profiles: this.profiles.all.map((profile) => {
        const { name, title, capability, tools, owner, integrations, unserved: markedUnserved } = profile;
        const own = approved.filter((tool) => tool.profile === name);
        const joined = own.map(({ tool }) => tool).filter((tool) => !tools.includes(tool));
        return {
          ...{ name, title, capability, tools: [...tools, ...joined], unserved: own.length === 0, tokens: tokensOf(own) },
          ...{ integrations: [...integrations], markedUnserved, policy: decidePolicies(words(profile)) },
          ...(owner === null ? {} : { owner }),
        };
      }),
      allToolsTokens: tokensOf(approved),
      served: servedBy(everything),
    };
  }
}

const tokensOf = (tools: readonly ApprovedTool[]): number => tools.reduce((sum, tool) => sum + definitionTokens(tool), 0);

function servedBy(approved: readonly ApprovedTool[]): NonNullable<CallAnswer<typeof listProfiles>['served']> {
  return [...new Set(approved.map(({ executor }) => executor))].map((executor) => {
    const own = approved.filter((tool) => tool.executor === executor);
    const approvedAt = new Date(Math.max(...own.map((tool) => tool.approvedAt.getTime()))).toISOString();
    return { executor, profiles: [...new Set(own.map(({ profile }) => profile))].sort(), approvedAt };
  });
}
