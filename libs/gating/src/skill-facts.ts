import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState, SkillStates } from '@skillgate/contracts/words';

/** What the resolver must know of a skill. */
export interface SkillFacts {
  readonly slug: string;
  readonly hidden: boolean;
  readonly defaultState: SkillState;
  readonly requires: SkillRequirements;
  /** Why the package cannot be used (parse failure, unknown profile or tool …), one sentence each. */
  readonly problems?: readonly string[];
  /** Why it is offered no more although nothing is wrong with its package, in one sentence. */
  readonly withdrawn?: string;
}

/** Everything beside the skill itself that a decision depends on. */
export interface Situation {
  readonly layers: { readonly turn: SkillStates; readonly chat: SkillStates; readonly persona: SkillStates; readonly account: SkillStates };
  readonly locks: { readonly operator: Locks; readonly admin: Locks };
  readonly entitlements: { readonly capabilities: readonly string[]; readonly integrations: readonly string[] };
  /** Profiles that have at least one approved tool. Absent: profiles are not checked here. */
  readonly servedProfiles?: ReadonlySet<string>;
  readonly modelUsesTools: boolean;
}

export type Locks = Readonly<Record<string, 'always' | 'never'>>;
