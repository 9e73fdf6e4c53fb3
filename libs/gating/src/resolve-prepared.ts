import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { decide, survey, type Ground } from './decide.js';
import type { Outcome, PreparedCatalog } from './prepare-catalog.js';
import { bitsOf, type Bits } from './requirement-names.js';
import type { Situation } from './skill-facts.js';

/** The decision on every skill of a catalog, in its order. Decisions may be shared with other answers; they are frozen. */
export interface CatalogDecisions extends Iterable<SkillDecision> {
  readonly length: number;
  at(place: number): SkillDecision | undefined;
  /** Of the skill with this slug; of the first one when two claim it. */
  of(slug: string): SkillDecision | undefined;
}

/**
 * What `resolveSkills` answers for the same skills and situation, by the same decision. Skills that no layer and no lock names
 * are decided once for all accounts with equal facts; those that one names are decided here and now.
 */
export function resolvePrepared(catalog: PreparedCatalog, situation: Situation): CatalogDecisions {
  const ground = survey(situation);
  const outcomes = outcomesFor(catalog, ground);
  const named = decideNamed(catalog, ground);
  const { classOf, numberOf } = catalog;
  const at = (place: number) => named.get(place) ?? outcomes[classOf[place]!]?.[numberOf[place]!];
  return {
    length: classOf.length,
    at,
    of: (slug) => at(catalog.places.get(slug)?.[0] ?? -1),
    [Symbol.iterator]: () => inOrder(catalog, outcomes, named)[Symbol.iterator](),
  };
}

function inOrder({ classOf, numberOf }: PreparedCatalog, outcomes: readonly Outcome[], named: ReadonlyMap<number, SkillDecision>): SkillDecision[] {
  const all = new Array<SkillDecision>(classOf.length);
  for (let place = 0; place < all.length; place++) all[place] = outcomes[classOf[place]!]![numberOf[place]!]!;
  for (const [place, decision] of named) all[place] = decision;
  return all;
}

/** Own names, as the decision itself looks them up; also those that an enumeration would leave out. */
function decideNamed(catalog: PreparedCatalog, ground: Ground): ReadonlyMap<number, SkillDecision> {
  const decided = new Map<number, SkillDecision>();
  const name = (states: unknown): void => {
    if (typeof states !== 'object' || states === null) return;
    for (const slug of Object.getOwnPropertyNames(states)) {
      for (const place of catalog.places.get(slug) ?? []) if (!decided.has(place)) decided.set(place, frozen(decide(catalog.skills[place]!, ground)));
    }
  };
  name(ground.operator);
  name(ground.admin);

  for (const [, states] of ground.scopes) name(states);
  return decided;
}

function outcomesFor(catalog: PreparedCatalog, ground: Ground): readonly Outcome[] {
  const bits = bitsOf(ground, catalog.names);
  const kind = bits.join();
  const known = catalog.kinds.get(kind);
  if (known) return known;
  const silent: Ground = { ...ground, operator: undefined, admin: undefined, scopes: [] };
  const outcomes = catalog.classes.map((_, number) => outcomeOf(catalog, number, bits, silent));
  catalog.kinds.set(kind, outcomes);
  return outcomes;
}

function outcomeOf(catalog: PreparedCatalog, number: number, bits: Bits, ground: Ground): Outcome {
  const { members, mask, outcomes } = catalog.classes[number]!;
  const { remembered } = catalog;
  const key = mask.map((word, at) => word & bits[at]!).join();
  const known = outcomes.get(key);
  if (known) return known;
  if (remembered.decisions + members.length > remembered.limit) forget(catalog);
  const decided = members.map((place) => frozen(decide(catalog.skills[place]!, ground)));
  outcomes.set(key, decided);
  remembered.decisions += members.length;
  return decided;
}

function forget({ classes, kinds, remembered }: PreparedCatalog): void {
  for (const { outcomes } of classes) outcomes.clear();
  kinds.clear();
  remembered.decisions = 0;
}

/** One decision goes to many callers: whoever tried to change it would change it for all. */
function frozen(decision: SkillDecision): SkillDecision {
  for (const unmet of decision.unmet) Object.freeze(unmet);
  Object.freeze(decision.unmet);
  return Object.freeze(decision);
}
