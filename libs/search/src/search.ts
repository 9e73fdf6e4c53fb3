import type { SkillIndex } from './build-index.js';
import { termsFor } from './vocabulary.js';
import { wordsOf } from './words-of.js';

export interface Hit {
  readonly slug: string;
  /** BM25F; comparable within one answer. */
  readonly score: number;
  /** Words of the query that were found in the skill, in the query's order. */
  readonly why: readonly string[];
}

/** Distinct words of a query that are looked up. A request has a few; a pasted document would cost time and find no better. */
const maxWords = 64;

/** Sums of the index at hand; kept because a new array for each query would cost more than the query. */
const sums = new WeakMap<SkillIndex, Float64Array>();

/**
 * The skills that share a word with the query, best first, at most `limit`. The same index, query and limit give the same
 * answer everywhere; equal scores stand in the order of slugs. A query without a known word finds nothing.
 */
export function search(index: SkillIndex, query: string, limit: number): Hit[] {
  const words = lookUp(index, query);
  const sum = sums.get(index) ?? new Float64Array(index.slugs.length);
  sums.set(index, sum);
  for (const { terms, rarity } of words) {
    for (const term of terms) {
      const end = index.starts[term + 1]!;
      for (let at = index.starts[term]!; at < end; at++) sum[index.skills[at]!]! += index.weights[at]! * rarity;
    }
  }
  return takeBest(sum, Math.max(0, Math.floor(limit))).map(({ skill, score }) => ({
    slug: index.slugs[skill]!,
    score,
    why: words.filter(({ terms }) => terms.some((term) => holds(index, term, skill))).map(({ word }) => word),
  }));
}

interface Word {
  word: string;
  terms: number[];
  /** BM25's inverse document frequency, over all languages in which the word stands. */
  rarity: number;
}

function lookUp(index: SkillIndex, query: string): Word[] {
  const words: Word[] = [];
  const seen = new Set<number>();
  for (const word of wordsOf(query)) {
    const terms = termsFor(index.vocabulary, word).filter((term) => !seen.has(term));
    if (terms.length === 0) continue;
    for (const term of terms) seen.add(term);
    const found = terms.reduce((count, term) => count + index.starts[term + 1]! - index.starts[term]!, 0);
    const among = Math.max(index.slugs.length, found); // a skill in two languages may be counted twice
    words.push({ word, terms, rarity: Math.log(1 + (among - found + 0.5) / (found + 0.5)) });
    if (words.length === maxWords) break;
  }
  return words;
}

/** The greatest sums in falling order, and all sums back to nothing. */
function takeBest(sum: Float64Array, limit: number): { skill: number; score: number }[] {
  const best: { skill: number; score: number }[] = [];
  let least = 0;
  for (let skill = 0; skill < sum.length; skill++) {
    const score = sum[skill]!;
    if (score === 0) continue;
    sum[skill] = 0;
    if (score <= least || limit === 0) continue; // an equal one that comes later stands behind
    let place = best.length;
    while (place > 0 && best[place - 1]!.score < score) place--;
    best.splice(place, 0, { skill, score });
    if (best.length > limit) best.pop();
    if (best.length === limit) least = best[limit - 1]!.score;
  }
  return best;
}

function holds({ starts, skills }: SkillIndex, term: number, skill: number): boolean {
  let [low, high] = [starts[term]!, starts[term + 1]!];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (skills[middle]! < skill) low = middle + 1;
    else high = middle;
  }
  return low < starts[term + 1]! && skills[low] === skill;
}
