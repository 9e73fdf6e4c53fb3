import { detectLanguage } from './detect-language.js';
import { languages, withoutAccents, type Language } from './languages.js';
import { stemOf } from './vocabulary.js';
import { wordsOf } from './words-of.js';

/** A word of a query, with all that it may stand for in a text whose language nobody knows yet. */
export interface AskedWord {
  readonly word: string;
  readonly terms: readonly string[];
}

const allLanguages = Object.keys(languages) as Language[];

/**
 * What a passage is found by, each once: its words as they stand and by their stems, without stop words and accents. For texts that are
 * kept with their terms, outside of an index of `build-index.ts`.
 *
 * @param most terms beyond it are left out: a pasted book is found by its beginning
 */
export function termsOfText(text: string, most: number, language: Language = detectLanguage(text)): string[] {
  const terms = new Set<string>();
  for (const word of wordsOf(text)) {
    for (const term of termsOfWord(word, language)) terms.add(term);
    if (terms.size >= most) break;
  }
  return [...terms].slice(0, most);
}

/** A query is too short to tell its language, so each of its words is looked up in all. At most `most` words, each once. */
export function termsOfQuery(query: string, most: number): AskedWord[] {
  const asked = new Map<string, AskedWord>();
  for (const word of wordsOf(query)) {
    if (asked.size === most) break;
    if (!asked.has(word)) asked.set(word, { word, terms: [...new Set(allLanguages.flatMap((language) => termsOfWord(word, language)))] });
  }
  return [...asked.values()].filter(({ terms }) => terms.length > 0);
}

/** A word that stands in nearly every text of these languages, for which none of them is searched. */
export interface SkippedWord {
  readonly word: string;
  readonly languages: string[];
}

/** Which words of a query find nothing, and in texts of which languages; `most` as in `termsOfQuery`. */
export const skippedIn = (query: string, most: number): SkippedWord[] =>
  termsOfQuery(query, most).flatMap(({ word }) => {
    const skipping = allLanguages.filter((language) => termsOfWord(word, language).length === 0);
    return skipping.length > 0 ? [{ word, languages: skipping }] : [];
  });

/** None of a stop word. */
export function termsOfWord(word: string, language: Language): string[] {
  const stem = stemOf(language, word);
  const plain = withoutAccents(word);
  return stem === undefined ? [] : stem === plain ? [plain] : [plain, stem];
}
