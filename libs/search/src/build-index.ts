import { readSkill } from './read-skill.js';
import { routingVectors, type RoutingVector } from './routing-vectors.js';
import { fields, tuning, type SearchedSkill } from './searched-skill.js';
import { emptyVocabulary, type Vocabulary } from './vocabulary.js';

/** A search index. It never changes: when a skill changes, a new one is built. */
export interface SkillIndex {
  /** In code-unit order; a skill's place is its number in the postings. */
  readonly slugs: readonly string[];
  readonly vocabulary: Vocabulary;
  /** The postings of term t are those from `starts[t]` to `starts[t + 1]`, by ascending skill. */
  readonly starts: Uint32Array;
  readonly skills: Uint32Array;
  /** What the term counts for in that skill: BM25F without the term's rarity, 0 to k1 + 1. */
  readonly weights: Float32Array;
  readonly routing: readonly RoutingVector[];
}

/** How fast repeating a word stops to count (BM25's k1). */
const k1 = 1.2;

/**
 * Builds the index of these skills: BM25F over name, what, when and body. The same skills give the same index in whatever
 * order they come; of two with one slug the first one counts.
 */
export function buildIndex(skills: readonly SearchedSkill[]): SkillIndex {
  const bySlug = new Map<string, SearchedSkill>();
  for (const skill of skills) if (!bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
  const slugs = [...bySlug.keys()].sort();
  const vocabulary = emptyVocabulary();
  const read = slugs.map((slug) => readSkill(bySlug.get(slug)!, vocabulary).map((list) => Uint32Array.from(list)));
  const postings = post(read, vocabulary.shown.length);
  return { slugs, vocabulary, ...postings, routing: routingVectors(read, vocabulary.shown.length) };
}

function post(read: readonly (readonly Uint32Array[])[], termCount: number) {
  const means = fields.map((_, field) => read.reduce((sum, terms) => sum + terms[field]!.length, 0) / Math.max(1, read.length));
  const frequency = new Float64Array(termCount); // of the skill at hand, weighted over its fields
  const starts = new Uint32Array(termCount + 1);
  const distinct = read.map((terms) => {
    const met: number[] = [];
    for (const list of terms) {
      for (const term of list) {
        if (frequency[term] !== 0) continue;
        frequency[term] = 1;
        met.push(term);
        starts[term + 1]!++;
      }
    }
    for (const term of met) frequency[term] = 0;
    return Uint32Array.from(met);
  });
  for (let term = 0; term < termCount; term++) starts[term + 1]! += starts[term]!;
  const next = starts.slice();
  const skills = new Uint32Array(starts[termCount]!);
  const weights = new Float32Array(starts[termCount]!);
  for (const [skill, terms] of read.entries()) {
    for (const [field, list] of terms.entries()) {
      const { weight, b } = tuning[fields[field]!];
      const counts = weight / (1 - b + (b * list.length) / (means[field]! || 1));
      for (const term of list) frequency[term]! += counts;
    }
    for (const term of distinct[skill]!) {
      const at = next[term]!++;
      skills[at] = skill;
      weights[at] = (frequency[term]! * (k1 + 1)) / (k1 + frequency[term]!);
      frequency[term] = 0;
    }
  }
  return { starts, skills, weights };
}
