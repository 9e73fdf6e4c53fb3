import { Inject, Injectable } from '@nestjs/common';
import type { listTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { Announcements } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import { definitionTokens } from './definition-tokens.js';
import { PROFILES } from './inject.js';
import { PoliciesStore } from './policies-store.js';
import type { Profile, Profiles } from './profiles.js';
import { servedTools, type ServedTools } from './served-tools.js';
import { ShownTokens } from './shown-tokens.js';
import type { PolicyOf } from './tool-standing.js';

type Listed = CallAnswer<typeof listTools>['tools'][number];

/** Every tool that a profile names or an approval put into one: where it stands, and what it costs. */
@Injectable()
export class ListTools {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly approvals: ApprovalsStore,
    private readonly announcements: Announcements,
    private readonly policies: PoliciesStore,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  async list({ authority, profile: only }: CallParsedInput<typeof listTools>): Promise<CallAnswer<typeof listTools>> {
    const chosen = only === undefined ? this.profiles.all : [this.profiles.get(only)].flatMap((one) => one ?? []);
    if (chosen.length === 0) throw refuse('unknown-profile', `There is no profile "${only}"; GET /api/v1/profiles lists them.`);
    const account = authority && (await this.tokens.anyTicket(authority)).account;
    const [approved, policyOf] = await Promise.all([this.approvals.all(), this.policies.recent(account)]);
    const served = servedTools(approved, this.announcements.living());
    const tools = chosen.flatMap((profile) => toolsOf(profile, served).map((name) => this.describe(name, profile, served, policyOf)));
    return { tools, tokens: tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0) };
  }

  private describe(name: string, profile: Profile, served: ServedTools, policyOf: PolicyOf): Listed {
    const place = { name, profile: profile.name, integrations: [...this.profiles.integrationsOf(profile, name)] };
    const tool = served.approved(name);
    if (tool?.profile !== profile.name) {
      const standing = served.isAnnounced(name) ? ('proposed' as const) : ('unserved' as const);
      return { ...place, standing, executor: null, effect: null, policy: null, tokens: null };
    }
    const { executor, effect } = tool;
    const liveness = served.liveness(tool);
    return { ...place, standing: liveness === 'mixed' ? 'changed' : liveness, executor, effect, policy: policyOf(profile, effect).policy, tokens: definitionTokens(tool) };
  }
}

const toolsOf = ({ name, tools }: Profile, served: ServedTools): string[] => [...new Set([...tools, ...served.approvedIn(name)])];
