import type { SkillFacts } from './skill-facts.js';
import type { Means } from './unmet.js';

const kinds = ['capabilities', 'integrations', 'profiles'] as const;

/** Every name that some skill of a catalog asks for, each with its bit. `tools` is asked for by all, in code. */
export type NameBits = Readonly<Record<(typeof kinds)[number], ReadonlyMap<string, number>>>;

/** Bits, 32 a word; the first two belong to the model and to whether profiles are checked at all. */
export type Bits = Uint32Array;

const modelUsesTools = 0;
const profilesChecked = 1;

/** What a skill's needs name, an `a|b` as two. What cannot be read names nothing: no facts change its decision. */
export function namesOf(skill: SkillFacts): [kind: (typeof kinds)[number], name: string][] {
  const requires: unknown = skill?.requires;
  if (typeof requires !== 'object' || requires === null) return [];
  return kinds.flatMap((kind) => {
    const needs = (requires as Record<string, unknown>)[kind];
    if (!Array.isArray(needs)) return [];
    const names = needs.flatMap((need: unknown) => (typeof need === 'string' ? need.split('|') : []));
    return names.map((name): [(typeof kinds)[number], string] => [kind, name]);
  });
}

export function numberNames(skills: readonly SkillFacts[]): NameBits {
  const bits = { capabilities: new Map([['tools', profilesChecked + 1]]), integrations: new Map<string, number>(), profiles: new Map<string, number>() };
  let next = profilesChecked + 2;
  for (const skill of skills) for (const [kind, name] of namesOf(skill)) if (!bits[kind].has(name)) bits[kind].set(name, next++);
  return bits;
}

export const wordsFor = ({ capabilities, integrations, profiles }: NameBits): number =>
  ((profilesChecked + capabilities.size + integrations.size + profiles.size) >> 5) + 1;

/** The bits that a skill's decision depends on. */
export function maskOf(skill: SkillFacts, names: NameBits): Bits {
  const mask = new Uint32Array(wordsFor(names));
  for (const bit of [modelUsesTools, profilesChecked, names.capabilities.get('tools')!]) set(mask, bit);
  for (const [kind, name] of namesOf(skill)) set(mask, names[kind].get(name)!);
  return mask;
}

/** The bits that hold in this situation. A name that no skill asks for has none. */
export function bitsOf(means: Means, names: NameBits): Bits {
  const bits = new Uint32Array(wordsFor(names));
  if (means.modelUsesTools) set(bits, modelUsesTools);
  if (means.servedProfiles) set(bits, profilesChecked);
  mark(means.capabilities, names.capabilities, bits);
  mark(means.integrations, names.integrations, bits);
  if (means.servedProfiles) mark(means.servedProfiles, names.profiles, bits);
  return bits;
}

function mark(have: ReadonlySet<string>, numbered: ReadonlyMap<string, number>, bits: Bits): void {
  for (const name of have) {
    const bit = numbered.get(name);
    if (bit !== undefined) set(bits, bit);
  }
}

const set = (bits: Bits, bit: number): void => void (bits[bit >> 5]! |= 1 << (bit & 31));
