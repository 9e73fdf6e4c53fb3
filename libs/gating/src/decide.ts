import type { ScopeLayer, SkillDecision } from '@skillgate/contracts/calls/catalog';
import type { SkillState } from '@skillgate/contracts/words';
import type { Situation, SkillFacts } from './skill-facts.js';
import { brokenPackage, unmetNeeds, unreadableState, type Means } from './unmet.js';

/** A situation made ready for many decisions: lists became sets, layers stand in order of nearness. */
export interface Ground extends Means {
  readonly operator: unknown;
  readonly admin: unknown;
  readonly scopes: readonly (readonly [ScopeLayer, unknown])[];
}

export function survey(situation: Situation): Ground {
  const { layers, locks, entitlements } = situation ?? {};
  return {
    operator: locks?.operator,
    admin: locks?.admin,
    scopes: [
      ['turn', layers?.turn],
      ['chat', layers?.chat],
      ['persona', layers?.persona],
      ['account', layers?.account],
    ],
    capabilities: setOf(entitlements?.capabilities),
    integrations: setOf(entitlements?.integrations),
    servedProfiles: situation?.servedProfiles === undefined ? undefined : setOf(situation.servedProfiles),
    modelUsesTools: situation?.modelUsesTools === true,
  };
}

/** The one decision that every caller shares, also the prepared one. It reads of `ground` only what `skill` names, the four flags of means, and the layers. */
export function decide(skill: SkillFacts, ground: Ground): SkillDecision {
  if (typeof skill?.slug !== 'string') return unreadableSkill();
  const { slug } = skill;
  const { layer, value } = standing(skill, ground);
  const state = isState(value) ? value : 'never';
  const unmet = unmetNeeds(skill, state, layer === 'operator-lock', ground);
  if (state !== value) unmet.unshift(unreadableState(layer));
  return { slug, state, layer, usable: state !== 'never' && unmet.length === 0, unmet };
}

/** Operator's lock, then (for a hidden skill) nothing else, then the admin's lock, then the nearest scope that speaks. */
function standing(skill: SkillFacts, ground: Ground): { layer: ScopeLayer; value: unknown } {
  const byOperator = said(ground.operator, skill.slug);
  if (byOperator !== undefined) return { layer: 'operator-lock', value: byOperator };
  if (skill.hidden !== false) return { layer: 'hidden', value: 'never' };
  const byAdmin = said(ground.admin, skill.slug);
  if (byAdmin !== undefined) return { layer: 'admin-lock', value: byAdmin };
  for (const [layer, states] of ground.scopes) {
    const value = said(states, skill.slug);
    if (value !== undefined) return { layer, value };
  }
  return { layer: 'default', value: skill.defaultState };
}

/** Own properties alone: a skill may be called `constructor`. */
function said(states: unknown, slug: string): unknown {
  return typeof states === 'object' && states !== null && Object.hasOwn(states, slug)
    ? (states as Record<string, unknown>)[slug]
    : undefined;
}

const isState = (value: unknown): value is SkillState => value === 'always' || value === 'available' || value === 'never';

/** What cannot be read as a set of names holds nothing. */
const setOf = (names: unknown): ReadonlySet<string> =>
  names instanceof Set ? (names as Set<string>) : new Set(Array.isArray(names) ? (names as string[]) : []);

const unreadableSkill = (): SkillDecision => ({
  slug: '',
  state: 'never',
  layer: 'default',
  usable: false,
  unmet: [brokenPackage('it has no name')],
});
