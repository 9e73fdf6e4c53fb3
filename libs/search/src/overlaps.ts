import type { SkillIndex } from './build-index.js';
import type { RoutingVector } from './routing-vectors.js';

export interface Overlap {
  /** Slugs, `a` before `b`. */
  readonly a: string;
  readonly b: string;
  /** 0 (no word in common) to 1 (the same words). */
  readonly similarity: number;
  /** The words that both have, those that make them alike most first, at most eight. */
  readonly shared: readonly string[];
}

const shown = 8;

/** How alike the names and descriptions of two skills are, 0 to 1; what a description says a skill is not for does not count. */
export function similarity({ slugs, routing }: SkillIndex, a: string, b: string): number {
  const [one, other] = [routing[slugs.indexOf(a)], routing[slugs.indexOf(b)]];
  return one && other ? common(one, other).reduce((sum, [, product]) => sum + product, 0) : 0;
}

/** Every pair of skills whose similarity is at least `atLeast` (above 0), the most alike first. */
export function overlaps({ slugs, routing, vocabulary }: SkillIndex, atLeast: number): Overlap[] {
  const holders = new Map<number, { skills: number[]; weights: number[] }>();
  const sums = new Float64Array(slugs.length);
  const found: Overlap[] = [];
  for (const [skill, vector] of routing.entries()) {
    const touched = new Set<number>();
    for (const [at, term] of vector.terms.entries()) {
      const before = holders.get(term) ?? { skills: [], weights: [] };
      for (const [place, other] of before.skills.entries()) {
        sums[other]! += before.weights[place]! * vector.weights[at]!;
        touched.add(other);
      }
      before.skills.push(skill);
      before.weights.push(vector.weights[at]!);
      holders.set(term, before);
    }
    for (const other of touched) {
      if (sums[other]! >= atLeast) {
        const shared = common(routing[other]!, vector)
          .sort((x, y) => y[1] - x[1] || x[0] - y[0])
          .slice(0, shown)
          .map(([term]) => vocabulary.shown[term]!);
        found.push({ a: slugs[other]!, b: slugs[skill]!, similarity: Math.min(1, sums[other]!), shared });
      }
      sums[other] = 0;
    }
  }
  return found.sort((x, y) => y.similarity - x.similarity || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1));
}

/** The terms of both, with the product of their weights. */
function common(one: RoutingVector, other: RoutingVector): [term: number, product: number][] {
  const shared: [number, number][] = [];
  let at = 0;
  for (const [place, term] of one.terms.entries()) {
    while (at < other.terms.length && other.terms[at]! < term) at++;
    if (other.terms[at] === term) shared.push([term, one.weights[place]! * other.weights[at]!]);
  }
  return shared;
}
