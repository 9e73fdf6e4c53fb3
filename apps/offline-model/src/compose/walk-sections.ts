import { countWords } from '../text/words.js';
import type { Section } from './document.js';
import type { Draft } from './draft.js';
import { count } from './summarise-table.js';

const mostSections = 7;

/** One line for each main section: its heading and its first telling statement, or what it holds in counts. */
export function walkSections(draft: Draft): string[] {
  const groups = mainSections(draft.document.sections);
  if (groups.length < 2) return [];
  const lines: string[] = [];
  const unquoted: string[] = [];
  let room = draft.room;
  for (const group of groups) {
    const heading = draft.document.sections[group[0]!]!.heading;
    const line = lines.length < mostSections ? leadOf(draft, group, room - countWords(heading)) : undefined;
    if (line === undefined) unquoted.push(heading);
    else {
      lines.push(`**${heading}:** ${line}`);
      room -= countWords(`${heading} ${line}`);
    }
  }
  const named = unquoted.slice(0, 8);
  if (named.length > 0 && room > countWords(named.join(' ')))
    lines.push(`Also covered: ${named.join('; ')}${unquoted.length > named.length ? ` and ${unquoted.length - named.length} more` : ''}.`);
  return lines;
}

/** Indices of sections, grouped under the highest heading level that occurs at least twice. */
function mainSections(sections: Section[]): number[][] {
  const levels = sections.map((section) => section.level).filter((level) => level > 0);
  const main = [1, 2, 3, 4, 5, 6].find((level) => levels.filter((other) => other === level).length >= 2);
  if (main === undefined) return [];
  const groups: number[][] = [];
  sections.forEach((section, i) => {
    if (section.level === main && section.heading !== '') groups.push([i]);
    else if (section.level > main || section.level === 0) groups.at(-1)?.push(i);
  });
  return groups;
}

function leadOf(draft: Draft, group: number[], room: number): string | undefined {
  const inside = draft.ranked
    .map(({ statement }) => statement)
    .filter((statement) => group.includes(statement.section) && !draft.used.includes(statement));
  const lead =
    inside.find((statement) => statement.whole && statement.words >= 5 && statement.words <= room) ??
    inside.find((statement) => statement.words >= 3 && statement.words <= room);
  if (lead) {
    draft.used.push(lead);
    return lead.text;
  }
  const blocks = group.flatMap((i) => draft.document.sections[i]!.blocks);
  const table = blocks.find((block) => block.kind === 'table');
  if (table && room > 20) return `a table with ${count(table.size ?? 0, 'row')} (${table.text}).`;
  return undefined;
}
