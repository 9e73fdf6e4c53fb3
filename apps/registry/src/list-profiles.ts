import { Inject, Injectable } from '@nestjs/common';
import type { listProfiles } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { ApprovalsStore } from './approvals-store.js';
import type { ApprovedTool } from './approved-tool.js';
import { definitionTokens } from './definition-tokens.js';
import { PROFILES } from './inject.js';
import type { Profiles } from './profiles.js';

/** The profiles of the house with what their approved tools would cost in a prompt. */
@Injectable()
export class ListProfiles {
  constructor(
    private readonly approvals: ApprovalsStore,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  async list(): Promise<CallAnswer<typeof listProfiles>> {
    const approved = await this.approvals.recent();
    return {
      profiles: this.profiles.all.map(({ name, title, capability, tools }) => {
        const own = approved.filter((tool) => tool.profile === name);
        const joined = own.map(({ tool }) => tool).filter((tool) => !tools.includes(tool));
        return { name, title, capability, tools: [...tools, ...joined], unserved: own.length === 0, tokens: tokensOf(own) };
      }),
      allToolsTokens: tokensOf(approved),
      served: servedBy(approved),
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
