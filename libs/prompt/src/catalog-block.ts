import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { escapeMarks, oneLine } from './one-line.js';

/**
 * The catalog as a model reads it: between two marks one line a skill, `- slug: description`, sorted by slug in code-unit order.
 * The same entries give the same bytes, in whatever order they come. What an account's users wrote is labelled.
 */
export function renderCatalog(entries: readonly CatalogEntry[]): string {
  const sorted = [...entries].sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0));
  const lines = sorted.map(
    ({ slug, description, source }) =>
      `- ${field(slug)}: ${source === 'account' ? '(written by this account) ' : ''}${field(description)}\n`,
  );
  return `<available_skills>\n${lines.join('')}</available_skills>`;
}

const field = (text: string): string => escapeMarks(oneLine(text));
