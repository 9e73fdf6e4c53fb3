import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { catalogBlock, sortedEntries } from './catalog-block.js';
import { catalogLine, groupLine, shortLine } from './catalog-line.js';
import { countTokens } from './count-tokens.js';

/** A catalog within its budget, and what it cost the skills in it. */
export interface FittedCatalog {
  readonly text: string;
  /** Tokens of `text` in o200k. */
  readonly tokens: number;
  /** Skills with a line as their authors wrote it. */
  readonly full: number;
  /** Skills with a line that was cut. */
  readonly shortened: number;
  /** Skills without a line: a group stands for them, and `list_skills` finds them. All of them can be loaded. */
  readonly grouped: number;
}

/** Tokens in o200k that a catalog may take, where the operator says nothing else. */
export const catalogBudget = 6_000;

/** Longest descriptions in characters, tried from the most generous on. Below the last one a line says too little to choose by. */
const lengths = [400, 280, 200, 140, 90, 60];

/** No prose has so many characters a token: what exceeds the budget even at that rate need not be counted. */
const mostCharactersAToken = 8;

/**
 * The catalog within `budget` tokens: full lines if they fit, else lines cut to one length for all, else the largest groups
 * without lines of their own until the rest fits. Decided by the entries and the budget alone, so every replica writes the
 * same bytes. A budget that is too small for anything still names how many skills there are.
 */
export function fitCatalog(entries: readonly CatalogEntry[], budget: number = catalogBudget): FittedCatalog {
  const sorted = sortedEntries(entries);
  if (tooLong(sorted.map(({ slug }) => slug), budget)) return collapse(sorted, budget);
  const full = sorted.map(catalogLine);
  if (fits(full, budget)) return fitted(full, { full: full.length, shortened: 0, grouped: 0 });
  for (const length of lengths) {
    const lines = sorted.map((entry) => shortLine(entry, length));
    if (fits(lines, budget)) return fitted(lines, countCut(lines, full));
  }
  return collapse(sorted, budget);
}

/** Groups beyond so many say less than they cost. */
const mostGroups = 24;

function collapse(sorted: readonly CatalogEntry[], budget: number): FittedCatalog {
  const groups = groupsOf(sorted);
  for (let closed = 1; closed <= groups.length; closed++) {
    const open = groups.slice(closed).flatMap((group) => group.entries);
    if (tooLong(open.map(({ slug }) => slug), budget)) continue;
    const kept = sortedEntries(open).map((entry) => shortLine(entry, lengths.at(-1)!));
    const standIns = groups.slice(0, closed).map(({ name, entries }) => groupLine(name, entries.length)).sort();
    if (!fits([...kept, ...standIns], budget)) continue;
    const { full, shortened } = countCut(kept, sortedEntries(open).map(catalogLine));
    return fitted([...kept, ...standIns], { full, shortened, grouped: sorted.length - open.length });
  }
  return fitted([groupLine('all', sorted.length)], { full: 0, shortened: 0, grouped: sorted.length });
}

interface Group {
  readonly name: string;
  readonly entries: CatalogEntry[];
}

/** The largest first: one line less there makes room for whole groups elsewhere. Names settle a tie. */
function groupsOf(sorted: readonly CatalogEntry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of sorted) {
    const name = entry.group ?? (entry.source === 'account' ? 'written by this account' : 'other');
    const group = groups.get(name);
    if (group) group.entries.push(entry);
    else groups.set(name, { name, entries: [entry] });
  }
  const order = [...groups.values()].sort((a, b) => b.entries.length - a.entries.length || (a.name < b.name ? -1 : 1));
  if (order.length <= mostGroups) return order;
  return [{ name: 'various', entries: order.slice(mostGroups).flatMap(({ entries }) => entries) }, ...order.slice(0, mostGroups)];
}

const tooLong = (texts: readonly string[], budget: number): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) / mostCharactersAToken > budget;

const fits = (lines: readonly string[], budget: number): boolean => !tooLong(lines, budget) && countTokens(catalogBlock(lines)) <= budget;

const countCut = (lines: readonly string[], full: readonly string[]) => {
  const shortened = lines.filter((line, at) => line !== full[at]).length;
  return { full: lines.length - shortened, shortened, grouped: 0 };
};

function fitted(lines: readonly string[], counts: Pick<FittedCatalog, 'full' | 'shortened' | 'grouped'>): FittedCatalog {
  const text = catalogBlock(lines);
  return { text, tokens: countTokens(text), ...counts };
}
