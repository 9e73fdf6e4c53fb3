import { stemsOf } from '../text/words.js';
import type { Part } from './brief.js';
import { mechanicalSlips } from './mechanical-slips.js';
import { inOrder, pickDifferent } from './rank.js';
import { roleOf, signs, type Role } from './roles.js';
import type { Statement } from './statements.js';
import type { Draft } from './draft.js';
import { walkSections } from './walk-sections.js';

const most: Partial<Record<Role, number>> = {
  decisions: 8,
  actions: 8,
  questions: 5,
  risks: 5,
  numbers: 5,
  points: 6,
  details: 5,
  slips: 8,
};
/** Words kept back from the parts filled first, so that a long list of actions cannot crowd out everything else. */
const largestShare = 0.45;
/** Two decisions or actions may well share half their words: only what is nearly the same is left out. */
const sameAction = 0.85;

/** Fills one part from the draft's material and marks what it used. No lines: the material holds nothing for it. */
export function fillRole(draft: Draft, role: Role | undefined, heading: string): Part {
  switch (role) {
    case 'source':
      return { heading, lines: draft.source, list: draft.source.length > 2 };
    case 'purpose':
      return {
        heading,
        lines: [...take(draft, opening(draft), 2), ...draft.tables.flatMap((table) => table.overview).slice(0, 3)],
        list: false,
      };
    case 'points':
      return {
        heading,
        lines: [...take(draft, strongest(draft), most.points!), ...draft.tables.flatMap((table) => table.points)].map(ended),
        list: true,
      };
    case 'details': {
      const walked = walkSections(draft);
      // A text without headings has no sections to walk: its next strongest statements stand in their place.
      const rest = walked.length > 0 ? walked : take(draft, strongest(draft), most.details!);
      return {
        heading: draft.statements.length === 0 ? 'By column' : heading,
        lines: [...rest, ...draft.tables.flatMap((table) => table.columns)].map(ended),
        list: true,
      };
    }
    case 'slips':
      return { heading, lines: takeSlips(draft), list: true };
    case 'judgement':
      return { heading, lines: [], list: true };
    case 'numbers':
      return {
        heading,
        lines: [...take(draft, strongest(draft).filter(bears('numbers')), 5), ...draft.tables.flatMap((table) => table.columns)].map(ended),
        list: true,
      };
    case 'people':
      return {
        heading,
        lines: [...under(draft, 'people').map((statement) => statement.text), ...speakers(draft)].slice(0, 12),
        list: true,
      };
    case undefined:
      return { heading, lines: take(draft, about(draft, heading), 4).map(ended), list: true };
    default:
      return {
        heading,
        lines: take(draft, [...under(draft, role), ...draft.statements.filter(bears(role))], most[role] ?? 5, sameAction).map(ended),
        list: true,
      };
  }
}

/** Takes up to `limit` unused statements within the room, in the order of the source. */
function take(draft: Draft, candidates: Statement[], limit: number, sameness = 0.5): string[] {
  const fresh = candidates.filter((statement) => !draft.used.includes(statement));
  const room = draft.room * largestShare;
  let words = 0;
  const picked = pickDifferent(fresh, limit, draft.used, sameness).filter((statement) => (words += statement.words) <= room);
  draft.used.push(...picked);
  return inOrder(picked).map((statement) => statement.text);
}

/** Each slip is told once, under the first heading that asks for such. */
function takeSlips(draft: Draft): string[] {
  const lines = (draft.slips ?? mechanicalSlips(draft.document)).slice(0, most.slips);
  draft.slips = [];
  return lines;
}

function opening(draft: Draft): Statement[] {
  const first = draft.statements.find((statement) => statement.whole && statement.words >= 5);
  return first
    ? draft.statements
        .filter((statement) => statement.whole && statement.section === first.section && statement.block === first.block)
        .slice(0, 2)
    : [];
}

function strongest(draft: Draft): Statement[] {
  const ranked = draft.ranked.map(({ statement }) => statement);
  const whole = ranked.filter((statement) => statement.whole && statement.words >= 6);
  // Notes in fragments have few whole sentences; then their longer items speak.
  return whole.length >= 3 ? whole : ranked.filter((statement) => statement.words >= 4);
}

/** Statements under a heading of the source that has the same role. */
function under(draft: Draft, role: Role): Statement[] {
  return draft.statements.filter(
    (statement) => roleOf(draft.document.sections[statement.section]!.heading) === role || (role === 'actions' && statement.open),
  );
}

function bears(role: Role): (statement: Statement) => boolean {
  return (statement) => statement.words >= 4 && signs[role]?.test(statement.text) === true;
}

/** For a heading without a known role: statements that share its words. */
function about(draft: Draft, heading: string): Statement[] {
  const terms = stemsOf(heading);
  return draft.ranked.map(({ statement }) => statement).filter((statement) => terms.some((term) => statement.stems.has(term)));
}

function speakers(draft: Draft): string[] {
  const names = draft.statements
    .filter((statement) => statement.kind === 'speech')
    .map((statement) => /^(?:\[?[\d:]+\]?\s*[-–]?\s*)?([^:(]+)/.exec(statement.text)![1]!.trim());
  return [...new Set(names)];
}

/** A fragment gets its full stop; anything that ends stays as it is. */
function ended(text: string): string {
  return /[.!?…。！？:;]["'”’)\]*]*$/.test(text) ? text : `${text}.`;
}
