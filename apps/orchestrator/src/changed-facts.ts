import type { TurnFacts } from './entities.js';

/** What a commit writes of a turn's facts. */
export interface FactsChange {
  readonly facts: Partial<TurnFacts>;
  /** Only what changed: the rest stands there already. */
  readonly amend: boolean;
}

/**
 * A catalog of some eighty skills makes 20 KB of facts, which seldom change within a turn. Whole where the row may hold none, or one that
 * is gone now.
 */
export function changedFacts(before: TurnFacts | null, now: TurnFacts): FactsChange {
  const names = Object.keys(now) as (keyof TurnFacts)[];
  if (!before || Object.keys(before).some((name) => !Object.hasOwn(now, name))) return { facts: now, amend: false };
  return { facts: Object.fromEntries(names.filter((name) => !isSame(before[name], now[name])).map((name) => [name, now[name]])), amend: true };
}

/** Lists are made anew of the very same things. What is made anew altogether counts as changed, and is small. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((each, at) => each === other[at]));
