import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { decide, survey } from './decide.js';
import type { Situation, SkillFacts } from './skill-facts.js';

/**
 * Decides every skill, in the order given. Total: input of a wrong shape closes a skill with a reason, it never throws.
 * A skill whose decision is not `usable` opens nothing.
 */
export function resolveSkills(input: Situation & { readonly skills: readonly SkillFacts[] }): SkillDecision[] {
  const ground = survey(input);
  return Array.isArray(input?.skills) ? input.skills.map((skill) => decide(skill, ground)) : [];
}

/** The same decision for one skill: a load, an activation, an explanation. */
export const resolveSkill = (skill: SkillFacts, situation: Situation): SkillDecision => decide(skill, survey(situation));
