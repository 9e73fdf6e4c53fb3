import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { escapeMarks, oneLine } from './one-line.js';

const field = (text: string): string => escapeMarks(oneLine(text));

/** One skill on one line, ended by a line feed. What an account's users wrote is labelled. */
export const catalogLine = ({ slug, description, source }: CatalogEntry): string =>
  `- ${field(slug)}: ${source === 'account' ? '(written by this account) ' : ''}${field(description)}\n`;

/** The same line with at most `characters` of description, cut at the end of a word, with an ellipsis where something is missing. */
export function shortLine(entry: CatalogEntry, characters: number): string {
  const description = oneLine(entry.description);
  if (description.length <= characters) return catalogLine(entry);
  const room = description.slice(0, characters + 1);
  const word = room.lastIndexOf(' ');
  // A text without spaces is cut where the room ends, but never through a surrogate pair.
  const kept = (word > 0 ? room.slice(0, word) : room.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')).replace(/[\s,;:.–—-]+$/u, '');
  return catalogLine({ ...entry, description: `${kept}…` });
}

/** Skills of one group that have no line of their own, and how they are reached all the same. */
export const groupLine = (group: string, skills: number): string =>
  `* ${field(group)}: ${skills} more ${skills === 1 ? 'skill' : 'skills'}, found by list_skills with words of the task\n`;

/** What a rendered catalog holds: the lines of an earlier day, perhaps, since a chat's prefix is frozen. */
export function countLines(catalog: string): { full: number; shortened: number; grouped: number } {
  const lines = catalog.split('\n');
  const skills = lines.filter((line) => line.startsWith('- '));
  // A description that itself ends in an ellipsis counts as cut.
  const shortened = skills.filter((line) => line.endsWith('…')).length;
  const grouped = lines.reduce((sum, line) => sum + Number(/^\* .*: (\d+) more skills?, found by list_skills/.exec(line)?.[1] ?? 0), 0);
  return { full: skills.length - shortened, shortened, grouped };
}
