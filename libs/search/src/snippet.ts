import { detectLanguage } from './detect-language.js';
import { termsOfWord } from './passage-terms.js';
import { wordsOf } from './words-of.js';

interface Place {
  at: number;
  terms: readonly string[];
}

const words = /[\p{L}\p{M}\p{N}]+/gu;
const searched = 50_000; // characters; what is found by its beginning is shown by it

/**
 * The stretch of a text that holds the most of what was asked for, on one line, at most about `length` characters; the beginning where it
 * holds nothing of it. What was left out before and behind is marked by an ellipsis.
 *
 * @param asked terms of the query, as `termsOfQuery` gives them
 */
export function snippetOf(text: string, asked: ReadonlySet<string>, length: number): string {
  const found = placesOf(text.slice(0, searched), asked);
  const best = found.reduce<{ at: number; count: number }>(
    (held, { at }) => {
      const near = found.filter((place) => place.at >= at && place.at < at + length * insideShare);
      const count = new Set(near.flatMap(({ terms }) => terms)).size;
      return count > held.count ? { at, count } : held;
    },
    { at: 0, count: 0 },
  );
  const from = atWord(text, Math.max(0, best.at - Math.floor(length * beforeShare)));
  const end = from + length >= text.length ? text.length : atWord(text, from + length);
  const line = text.slice(from, end).toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return `${from > 0 ? '… ' : ''}${line}${end < text.length ? ' …' : ''}`;
}

/** What is found stands in the middle: a quarter of the stretch leads to it. */
const beforeShare = 0.25;
const insideShare = 0.75;
const mostPlaces = 200;

function placesOf(text: string, asked: ReadonlySet<string>): Place[] {
  const language = detectLanguage(text);
  const places: Place[] = [];
  for (const { 0: run, index: at } of text.matchAll(words)) {
    const terms = [...wordsOf(run)].flatMap((word) => termsOfWord(word, language)).filter((term) => asked.has(term));
    if (terms.length > 0) places.push({ at, terms });
    if (places.length === mostPlaces) break;
  }
  return places;
}

const seekBlank = 24; // characters; scripts without blanks are cut where they are

/** The next beginning of a word, where one is near. */
function atWord(text: string, at: number): number {
  if (at <= 0) return 0;
  const blank = /\s/.exec(text.slice(at, at + seekBlank));
  return blank ? at + blank.index + 1 : at;
}
