import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import type { SkillState } from '@skillgate/contracts/words';
import type { SkillFacts } from './skill-facts.js';

export type Unmet = SkillDecision['unmet'][number];

/** What the account, the house and the model have to offer. */
export interface Means {
  readonly capabilities: ReadonlySet<string>;
  readonly integrations: ReadonlySet<string>;
  readonly servedProfiles: ReadonlySet<string> | undefined;
  readonly modelUsesTools: boolean;
}

/**
 * What is missing before the skill may be used in this state, one sentence each that says what to do; empty when nothing is.
 *
 * Loading is itself a tool call, so an `available` skill needs an account and a model with tools even if it opens none.
 * Text that an operator injects by a lock needs neither.
 */
export function unmetNeeds(skill: SkillFacts, state: SkillState, byOperator: boolean, means: Means): Unmet[] {
  const unmet: Unmet[] = [];
  if (skill.withdrawn !== undefined) unmet.push(withdrawn(skill.withdrawn));
  if (skill.problems !== undefined) collectProblems(skill.problems, unmet);
  const { requires } = skill;
  if (!isReadable(requires)) {
    unmet.push(brokenPackage('its requirements cannot be read'));
    return unmet;
  }
  const opensTools = requires.profiles.length > 0 || requires.tools.length > 0;
  const textOnly = state === 'always' && !opensTools;
  if (!means.capabilities.has('tools') && !(textOnly && byOperator)) unmet.push(noTools);
  if (!means.modelUsesTools && !textOnly) unmet.push(modelWithoutTools);
  for (const need of requires.capabilities) {
    if (need === 'tools' && unmet.includes(noTools)) continue; // said above
    if (!holds(means.capabilities, need)) unmet.push(missingCapability(need));
  }
  for (const need of requires.integrations) if (!holds(means.integrations, need)) unmet.push(missingIntegration(need));
  if (means.servedProfiles) {
    for (const need of requires.profiles) if (!holds(means.servedProfiles, need)) unmet.push(unservedProfile(need));
  }
  return unmet;
}

/** `a|b` holds when either does. An empty alternative (`a|`, `|`) is no name, so nothing holds it. */
function holds(have: ReadonlySet<string>, need: unknown): boolean {
  if (typeof need !== 'string' || need === '') return false;
  return need.includes('|') ? need.split('|').some((name) => name !== '' && have.has(name)) : have.has(need);
}

function isReadable(requires: unknown): boolean {
  if (typeof requires !== 'object' || requires === null) return false;
  const { capabilities, integrations, profiles, tools } = requires as Record<string, unknown>;
  return Array.isArray(capabilities) && Array.isArray(integrations) && Array.isArray(profiles) && Array.isArray(tools);
}

function collectProblems(problems: unknown, unmet: Unmet[]): void {
  if (!Array.isArray(problems)) unmet.push(brokenPackage('its list of problems cannot be read'));
  else for (const problem of problems) unmet.push(brokenPackage(typeof problem === 'string' ? problem : 'a problem that cannot be read'));
}

const noTools: Unmet = Object.freeze({
  kind: 'capability',
  need: 'tools',
  message: 'This account has plain chat only; move it to a tier that includes tools to use skills.',
});

const modelWithoutTools: Unmet = Object.freeze({
  kind: 'model',
  need: 'tools',
  message: 'The chosen model cannot call tools; choose a model that can.',
});

const missingCapability = (need: unknown): Unmet => ({
  kind: 'capability',
  need: text(need),
  message: `The account's tier does not include ${either(need)}; ask an account admin to move it to one that does.`,
});

const missingIntegration = (need: unknown): Unmet => ({
  kind: 'integration',
  need: text(need),
  message: `Connect ${either(need)} to this account, then try again.`,
});

const unservedProfile = (need: unknown): Unmet => ({
  kind: 'profile-unserved',
  need: text(need),
  message: `${either(need)} is served by no executor here; ask the operator to start one and approve it.`,
});

export const brokenPackage = (problem: string): Unmet => ({
  kind: 'invalid',
  need: 'package',
  message: `The skill's package must be repaired before it can be used: ${problem.replace(/\.$/, '')}.`,
});

const withdrawn = (why: unknown): Unmet => ({
  kind: 'withdrawn',
  need: 'package',
  message: `${typeof why === 'string' ? why.replace(/\.$/, '') : 'It was taken out of use'}. Go on without it and say so.`,
});

export const unreadableState = (layer: string): Unmet => ({
  kind: 'state',
  need: layer,
  message: `The state that the ${layer} layer gives is unknown; set it to always, available or never.`,
});

const text = (need: unknown): string => (typeof need === 'string' ? need : '');
const either = (need: unknown): string => {
  const names = text(need).split('|').filter(Boolean);
  return names.length === 0 ? 'a requirement without a name' : names.join(' or ');
};
