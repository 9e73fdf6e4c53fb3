import { countWords } from '../text/words.js';
import type { Brief, Part } from './brief.js';
import { describeMaterial } from './describe-material.js';
import type { Draft } from './draft.js';
import { fillRole } from './fill-role.js';
import type { Material } from './material.js';
import { roleOf, type Role } from './roles.js';
import { mergeDocuments } from './merge-documents.js';
import { rank } from './rank.js';
import { statementsOf } from './statements.js';
import { summariseTable } from './summarise-table.js';

/** About one page of A4 in a Word file. */
export const mostWords = 400;

const standard = ['Purpose', 'Key points', 'By section', 'Next steps', 'Open questions', 'Source'];
/** Wanted in any case, asked for or not: a page that quotes names what it quotes. */
const sourceHeading = 'Source';
/** Parts that only stand when the material has them; their lack in the standard page is no news. */
const optional = new Set(['Next steps', 'Open questions']);
/** Short and decisive parts take their words first; the walk through the sections takes what is left. */
const fillingOrder: (Role | undefined)[] = [
  'source',
  'purpose',
  'decisions',
  'actions',
  'risks',
  'questions',
  'people',
  'slips',
  'points',
  'numbers',
  undefined,
  'details',
];

export interface BriefOptions {
  title: string;
  request: string;
  /** Headings that the instructions want; empty means the standard page. */
  headings: string[];
}

/** One page of quotes and counts. Deterministic; invents nothing: a part without material is left out and named. */
export function composeBrief(materials: Material[], options: BriefOptions): Brief {
  const document = mergeDocuments(materials);
  const statements = statementsOf(document);
  const draft: Draft = {
    document,
    statements,
    ranked: rank(statements, document, options.request),
    tables: materials.flatMap((material) => (material.kind === 'table' ? [summariseTable(material.table)] : [])),
    used: [],
    room: mostWords,
    source: [
      ...materials.map(describeMaterial),
      materials.every((material) => material.kind === 'table')
        ? 'All figures are counted from these rows.'
        : 'Every statement above is quoted from it as written; only counts were added.',
    ],
  };
  const unjudged = options.headings.filter((heading) => roleOf(heading) === 'judgement');
  const askedFor = options.headings.filter((heading) => !unjudged.includes(heading));
  // A layout made of judgements leaves too little: what the text says comes first then.
  const wanted = withSource(
    unjudged.length > 0 || askedFor.length === 0
      ? [...new Set(['Purpose', 'Key points', ...(askedFor.length === 0 ? standard : askedFor)])]
      : askedFor,
  );
  const filled = new Map<string, Part>();
  for (const role of fillingOrder) {
    for (const heading of wanted.filter((candidate) => roleOf(candidate) === role && !filled.has(candidate))) {
      const part = fillRole(draft, role, heading);
      if (part.lines.length === 0) continue;
      filled.set(heading, part);
      draft.room -= countWords(part.lines.join(' '));
    }
  }
  const parts = wanted.flatMap((heading) => filled.get(heading) ?? []);
  const leftOut = wanted.filter((heading) => !filled.has(heading) && !(options.headings.length === 0 && optional.has(heading)));
  const lead = leadOf(filled) ?? draft.ranked.find(({ statement }) => statement.whole)?.statement.text ?? '';
  return {
    title: options.title,
    parts,
    lead,
    leftOut,
    unjudged,
    words: countWords(parts.flatMap((part) => [part.heading, ...part.lines]).join(' ')),
  };
}

/** What the answer in the chat repeats: the first decision, else a table's first figure, else the opening. */
function leadOf(filled: Map<string, Part>): string | undefined {
  for (const role of ['decisions', 'purpose', 'points'] as const) {
    const part = [...filled.values()].find(({ heading }) => roleOf(heading) === role);
    if (part) return part.lines[0];
  }
  return undefined;
}

function withSource(headings: string[]): string[] {
  return headings.some((heading) => roleOf(heading) === 'source') ? headings : [...headings, sourceHeading];
}
