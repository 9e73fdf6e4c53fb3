import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { fitCatalog } from '@skillgate/prompt/fit-catalog';

/** Tokens of a catalog of so many skills under the budget. */
export interface Growth {
  readonly skills: number;
  readonly catalogTokens: number;
  readonly full: number;
  readonly shortened: number;
  readonly grouped: number;
}

/** How the catalog grows when the library does: the lines of the real one, again and again under other names. */
export function measureGrowth(entries: readonly CatalogEntry[], sizes: readonly number[]): Growth[] {
  return sizes.map((skills) => {
    const { tokens, full, shortened, grouped } = fitCatalog(Array.from({ length: skills }, (_, n) => again(entries, n)));
    return { skills, catalogTokens: tokens, full, shortened, grouped };
  });
}

function again(entries: readonly CatalogEntry[], n: number): CatalogEntry {
  const entry = entries[n % entries.length]!;
  const round = Math.floor(n / entries.length);
  return round === 0 ? entry : { ...entry, slug: `${entry.slug}-${round}` };
}
