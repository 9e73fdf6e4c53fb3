import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { catalogLine } from './catalog-line.js';

const open = '<available_skills>\n';
const close = '</available_skills>';

/** Lines between the two marks of the catalog. */
export const catalogBlock = (lines: readonly string[]): string => `${open}${lines.join('')}${close}`;

/** In code-unit order of slugs, which is the same on every machine. */
export const sortedEntries = (entries: readonly CatalogEntry[]): CatalogEntry[] =>
  [...entries].sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0));

/**
 * The catalog as a model reads it, however long: between two marks one line a skill, `- slug: description`, sorted by slug.
 * The same entries give the same bytes, in whatever order they come.
 */
export const renderCatalog = (entries: readonly CatalogEntry[]): string => catalogBlock(sortedEntries(entries).map(catalogLine));
