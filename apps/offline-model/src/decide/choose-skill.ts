import type { CatalogLine } from '../read/catalog.js';
import { stemsOf } from '../text/words.js';

export type Choice = { kind: 'one'; line: CatalogLine } | { kind: 'two'; lines: [CatalogLine, CatalogLine] } | { kind: 'none' };

/** A slug is the shortest description of all: its words weigh more. */
const slugWeight = 1.5;
/** Share of the request's weight that a line must meet, so that one stray word in a long sentence chooses nothing. */
const leastShare = 0.3;
/** Two lines closer than this are a question to the user. */
const closeness = 0.92;

interface Scored {
  line: CatalogLine;
  score: number;
  share: number;
  matches: number;
}

/**
 * Scores every line by the words it shares with the request, rare words counting more (inverse document frequency over
 * the lines). What a line says it is not for counts against it. Deterministic; ties keep catalog order.
 */
export function chooseSkill(request: string, lines: CatalogLine[]): Choice {
  const ranked = scoreLines(request, lines)
    .filter((scored) => scored.score > 0 && scored.share >= leastShare && (scored.matches >= 2 || scored.share >= 0.5))
    .sort((a, b) => b.score - a.score);
  const [first, second] = ranked;
  if (!first) return { kind: 'none' };
  if (second && second.score >= first.score * closeness) return { kind: 'two', lines: [first.line, second.line] };
  return { kind: 'one', line: first.line };
}

export function scoreLines(request: string, lines: CatalogLine[]): Scored[] {
  const asked = [...new Set(stemsOf(request))];
  const documents = lines.map((line) => ({ line, ...partsOf(line) }));
  const weight = (term: string): number => {
    const holders = documents.filter((document) => document.slug.has(term) || document.wanted.has(term)).length;
    return Math.log(1 + lines.length / Math.max(holders, 1));
  };
  const weights = new Map(asked.map((term) => [term, weight(term)]));
  // A word that no line knows says little about which line is meant: it counts half in the whole.
  const known = (term: string): boolean => documents.some((document) => document.slug.has(term) || document.wanted.has(term));
  const whole = asked.reduce((sum, term) => sum + weights.get(term)! * (known(term) ? 1 : 0.5), 0);

  return documents.map(({ line, slug, wanted, unwanted }) => {
    let score = 0;
    let matches = 0;
    for (const term of asked) {
      if (slug.has(term)) score += weights.get(term)! * slugWeight;
      else if (wanted.has(term)) score += weights.get(term)!;
      else if (unwanted.has(term)) score -= weights.get(term)!;
      if (slug.has(term) || wanted.has(term)) matches++;
    }
    return { line, score, matches, share: whole === 0 ? 0 : score / whole };
  });
}

function partsOf(line: CatalogLine): { slug: Set<string>; wanted: Set<string>; unwanted: Set<string> } {
  // "Not for …" reaches to the end of its sentence.
  const negations = [...line.description.matchAll(/\b(?:not|never) (?:for|to|when|use[sd]?)\b[^.;]*/gi)].map((match) => match[0]);
  const wanted = negations.reduce((text, negation) => text.replace(negation, ' '), line.description);
  return { slug: new Set(stemsOf(line.slug)), wanted: new Set(stemsOf(wanted)), unwanted: new Set(stemsOf(negations.join(' '))) };
}
