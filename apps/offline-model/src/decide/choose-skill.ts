import type { CatalogLine } from '../read/catalog.js';
import { stem } from '../text/stem.js';
import { stemsOf } from '../text/words.js';

export type Choice = { kind: 'one'; line: CatalogLine } | { kind: 'two'; lines: [CatalogLine, CatalogLine] } | { kind: 'none' };

/** A slug is the shortest description of all: its words weigh more. */
const slugWeight = 1.5;
/** Requests begin with what is to be done; the rest tells on what. */
const firstWordWeight = 1.6;
/** A word of what a line is not for, against a word of what it is for. */
const negationWeight = 0.7;
/** Share of the request's weight that a line must meet, so that one stray word in a long sentence chooses nothing. */
const leastShare = 0.3;
/** The same for a line that meets one word only: among many lines, some line meets a stray word of almost any sentence. */
const leastShareOfOne = 0.8;
/** Two lines closer than this are a question to the user. */
const closeness = 0.92;

/** Verbs and nouns of every request: they fit any skill, so they choose none. */
const light = new Set(
  (
    'write make tell say mean stand show find create prepare turn help work go put take look suggest name type attach ' +
    'file document know thing good new one two word text markdown read today here'
  )
    .split(' ')
    .map(stem),
);

interface Scored {
  line: CatalogLine;
  score: number;
  /** Part of the request that the line meets, 0 to 1 and a little more. */
  share: number;
  matches: number;
}

/**
 * Scores every line by the words it shares with the request, rare words counting more (inverse document frequency over
 * the lines). What a line says it is not for counts against it. Deterministic; ties keep catalog order.
 */
export function chooseSkill(request: string, lines: CatalogLine[]): Choice {
  const ranked = scoreLines(request, lines)
    .filter(({ score, share, matches }) => score > 0 && share >= (matches >= 2 ? leastShare : leastShareOfOne) && matches > 0)
    .sort((a, b) => b.score - a.score);
  const [first, second] = ranked;
  if (!first) return { kind: 'none' };
  if (second && second.score >= first.score * closeness) return { kind: 'two', lines: [first.line, second.line] };
  return { kind: 'one', line: first.line };
}

export function scoreLines(request: string, lines: CatalogLine[]): Scored[] {
  const asked = [...new Set(stemsOf(request))].filter((term) => !light.has(term));
  const documents = lines.map((line) => ({ line, ...partsOf(line) }));
  const holders = (term: string): number => documents.filter(({ slug, wanted }) => slug.has(term) || wanted.has(term)).length;
  const weights = new Map(
    asked.map((term, i) => [term, Math.log(1 + lines.length / Math.max(holders(term), 1)) * (i === 0 ? firstWordWeight : 1)]),
  );
  // A word that no line knows says little about which line is meant: it counts half in the whole.
  const whole = asked.reduce((sum, term) => sum + weights.get(term)! * (holders(term) > 0 ? 1 : 0.5), 0);

  return documents.map(({ line, slug, wanted, unwanted }) => {
    let score = 0;
    let matches = 0;
    for (const term of asked) {
      const weight = weights.get(term)!;
      if (slug.has(term)) score += weight * slugWeight;
      else if (wanted.has(term)) score += weight;
      else if (unwanted.has(term)) score -= weight * negationWeight;
      if (slug.has(term) || wanted.has(term)) matches++;
    }
    return { line, score, matches, share: whole === 0 ? 0 : score / whole };
  });
}

function partsOf(line: CatalogLine): { slug: Set<string>; wanted: Set<string>; unwanted: Set<string> } {
  // "Not for …" reaches to the end of its sentence.
  const negations = [...line.description.matchAll(/\b(?:not|never|nor) (?:for|to|when|use[sd]?)\b[^.;]*/gi)].map((match) => match[0]);
  const wanted = negations.reduce((text, negation) => text.replace(negation, ' '), line.description);
  return { slug: new Set(stemsOf(line.slug)), wanted: new Set(stemsOf(wanted)), unwanted: new Set(stemsOf(negations.join(' '))) };
}
