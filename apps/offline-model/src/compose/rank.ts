import { stemsOf } from '../text/words.js';
import type { Document } from './document.js';
import type { Statement } from './statements.js';

const openers =
  'this that these those it its they them he she here there such but and so or also however therefore thus then hence ' +
  'moreover otherwise instead both either';
/** Words that point to something outside the sentence: quoted alone it would hang in the air. */
const dangling = new RegExp(
  `^["'“(]*(?:${openers.replaceAll(' ', '|')}|for (?:instance|example)|the (?:former|latter|same|above))\\b` +
    `|^.{0,24}\\b(?:this|these|those)\\b`,
  'i',
);
const weightyWords =
  'must never always required? decided? agreed target deadline result because total key important main first purpose goal ' +
  'aims? risks? costs? budget increased? decreased? grew fell';
const weighty = new RegExp(`\\b(?:${weightyWords.replaceAll(' ', '|')})\\b`, 'i');

/** Statements with their weight, heaviest first: position, frequent terms, headings, figures, and how well one stands alone. */
export function rank(statements: Statement[], document: Document, request: string): { statement: Statement; weight: number }[] {
  const frequency = new Map<string, number>();
  for (const statement of statements) for (const term of statement.stems) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const title = new Set(stemsOf(document.title));
  const asked = new Set(stemsOf(request));
  const first = statements.find((statement) => statement.whole && statement.kind === 'paragraph');

  return statements
    .map((statement) => ({ statement, weight: weigh(statement) }))
    .sort((a, b) => b.weight - a.weight || a.statement.section - b.statement.section || a.statement.place - b.statement.place);

  function weigh(statement: Statement): number {
    const terms = [...statement.stems];
    const common = terms.reduce((sum, term) => sum + Math.log(frequency.get(term)!), 0) / Math.sqrt(terms.length || 1);
    const heading = new Set(stemsOf(document.sections[statement.section]!.heading));
    const spans = statement.text.match(/`[^`]+`/g)?.length ?? 0;
    return (
      common * 0.35 +
      (statement === first ? 1.2 : 0) +
      (statement.place === 0 ? 0.6 : 0) +
      Math.min(overlap(terms, title), 2) * 0.3 +
      Math.min(overlap(terms, heading), 2) * 0.25 +
      Math.min(overlap(terms, asked), 3) * 0.3 +
      (/\d/.test(statement.text) ? 0.35 : 0) +
      (weighty.test(statement.text) ? 0.4 : 0) -
      (dangling.test(statement.text) ? 1.1 : 0) -
      (statement.words < 7 ? 0.8 : statement.words > 30 ? 0.5 : 0) -
      (spans > 2 ? 0.9 : 0) -
      (/https?:\/\//.test(statement.text) ? 0.7 : 0) -
      (statement.whole ? 0 : 0.5) -
      (statement.kind === 'item' ? 0.3 : 0) -
      (/[?？]["'”’)]*$/.test(statement.text) ? 1 : 0)
    );
  }
}

function overlap(terms: string[], others: Set<string>): number {
  return terms.filter((term) => others.has(term)).length;
}

/** Takes the first `most` that say something new: two that share this much of their words count as one. */
export function pickDifferent(ranked: Statement[], most: number, already: Statement[], sameness: number): Statement[] {
  const picked: Statement[] = [];
  for (const statement of ranked) {
    if (picked.length >= most) break;
    if ([...already, ...picked].every((other) => likeness(statement, other) < sameness)) picked.push(statement);
  }
  return picked;
}

function likeness(a: Statement, b: Statement): number {
  const shared = [...a.stems].filter((term) => b.stems.has(term)).length;
  return shared / Math.max(1, Math.min(a.stems.size, b.stems.size));
}

export function inOrder(statements: Statement[]): Statement[] {
  return [...statements].sort((a, b) => a.section - b.section || a.place - b.place);
}
