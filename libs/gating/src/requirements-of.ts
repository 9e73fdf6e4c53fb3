import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import type { SkillRequirements } from '@skillgate/contracts/tokens';

type Requirement = NonNullable<SkillDecision['requirements']>[number];

/**
 * Everything that a skill asks for, met or not, read from the decision itself so that both cannot differ: first what the package
 * names, then what it lacks beside that (tools in the tier, a model that calls them, a package that can be read).
 */
export function requirementsOf(requires: SkillRequirements, { unmet }: Pick<SkillDecision, 'unmet'>): Requirement[] {
  const lacks = new Set(unmet.map(({ kind, need }) => `${kind} ${need}`));
  const named = [
    ...requires.capabilities.map((need) => ({ kind: 'capability', need, as: 'capability' })),
    ...requires.integrations.map((need) => ({ kind: 'integration', need, as: 'integration' })),
    ...requires.profiles.map((need) => ({ kind: 'profile', need, as: 'profile-unserved' })),
  ];
  const said = new Set(named.map(({ as, need }) => `${as} ${need}`));
  const beside = unmet.filter(({ kind, need }) => !said.has(`${kind} ${need}`)).map(({ kind, need }) => ({ kind, need, met: false }));
  return [...named.map(({ kind, need, as }) => ({ kind, need, met: !lacks.has(`${as} ${need}`) })), ...beside];
}
