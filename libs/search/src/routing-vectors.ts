import { fields } from './searched-skill.js';

/** What routes to a skill, as a vector of length 1: its terms, ascending, and what each counts for. */
export interface RoutingVector {
  readonly terms: Uint32Array;
  readonly weights: Float64Array;
}

const routingFields = ['name', 'what', 'when'] as const;

/** Name and description alone, weighted by rarity among the names and descriptions: bodies of one house resemble each other anyway. */
export function routingVectors(read: readonly (readonly Uint32Array[])[], termCount: number): RoutingVector[] {
  const places = routingFields.map((field) => fields.indexOf(field));
  const counted = read.map((terms) => {
    const counts = new Map<number, number>();
    for (const place of places) for (const term of terms[place]!) counts.set(term, (counts.get(term) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => a - b);
  });
  const spread = new Uint32Array(termCount);
  for (const counts of counted) for (const [term] of counts) spread[term]!++;
  return counted.map((counts) => {
    const weights = Float64Array.from(counts, ([term, count]) => (1 + Math.log(count)) * Math.log(1 + read.length / spread[term]!));
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
    return { terms: Uint32Array.from(counts, ([term]) => term), weights: weights.map((weight) => weight / length) };
  });
}
