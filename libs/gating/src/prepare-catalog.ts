import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { LRUCache } from 'lru-cache';
import { maskOf, numberNames, type Bits, type NameBits } from './requirement-names.js';
import type { SkillFacts } from './skill-facts.js';

/** Skills whose decisions, where no layer speaks, depend on the same facts. */
export interface RequirementClass {
  /** Places in the catalog. */
  readonly members: readonly number[];
  readonly mask: Bits;
  /** Decisions of the members, in their order, by the facts under the mask. */
  readonly outcomes: Map<string, Outcome>;
}

export type Outcome = readonly SkillDecision[];

/** A catalog made ready for many accounts. What it remembers follows from skills and facts alone: nothing of an account is in it. */
export interface PreparedCatalog {
  readonly skills: readonly SkillFacts[];
  /** Where a slug stands, twice if two skills claim it. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** The class of the skill at a place, and its number among the members. */
  readonly classOf: Uint32Array;
  readonly numberOf: Uint32Array;
  readonly names: NameBits;
  readonly classes: readonly RequirementClass[];
  /** An outcome of each class by all facts that the catalog asks for: one entry a kind of account. */
  readonly kinds: LRUCache<string, readonly Outcome[]>;
  /** Decisions in all outcomes. At the limit all is forgotten, and made again as it is asked for. */
  readonly remembered: { decisions: number; readonly limit: number };
}

/** Kinds of accounts: tiers times sets of connected integrations times models. Each costs a reference a class. */
const maxKinds = 4_096;
/** References in all kinds together, for a catalog in which every skill asks for something else: 32 MB. */
const maxReferences = 4_000_000;
/** Outcomes a skill, on average. Most have two or three: everything there, the tier or the integration missing. */
const outcomesPerSkill = 16;

/**
 * Prepares the skills of one version of a catalog: once, and again when a skill changes. The facts must not change afterwards.
 * A few microseconds a skill; what it remembers later grows to about 1 KB a skill at most.
 */
export function prepareCatalog(skills: readonly SkillFacts[]): PreparedCatalog {
  const all = Array.isArray(skills) ? [...skills] : [];
  const names = numberNames(all);
  const places = new Map<string, number[]>();
  const classNumbers = new Map<string, number>();
  const classes: { members: number[]; mask: Bits; outcomes: Map<string, Outcome> }[] = [];
  const [classOf, numberOf] = [new Uint32Array(all.length), new Uint32Array(all.length)];
  for (const [place, skill] of all.entries()) {
    if (typeof skill?.slug === 'string') places.set(skill.slug, [...(places.get(skill.slug) ?? []), place]);
    const mask = maskOf(skill, names);
    let number = classNumbers.get(mask.join());
    if (number === undefined) {
      number = classes.push({ members: [], mask, outcomes: new Map() }) - 1;
      classNumbers.set(mask.join(), number);
    }
    classOf[place] = number;
    numberOf[place] = classes[number]!.members.push(place) - 1;
  }
  const kinds = new LRUCache<string, readonly Outcome[]>({
    max: maxKinds,
    maxSize: Math.max(maxReferences, 2 * all.length),
    sizeCalculation: (outcomes) => outcomes.length + 1,
  });
  const remembered = { decisions: 0, limit: outcomesPerSkill * all.length };
  return { skills: all, places, classOf, numberOf, names, classes, kinds, remembered };
}
