import { languages, withoutAccents, type Language } from './languages.js';

const nothing = -1; // a stop word

/** Words of one language and the terms that they stand for. A word is stemmed once, however often it is met. */
interface Dictionary {
  readonly words: Map<string, number>;
  readonly stems: Map<string, number>;
}

/**
 * Terms by number. Each language has its own: `die` in a German text is no word of an English one, and the same letters
 * may have two stems.
 */
export interface Vocabulary {
  readonly dictionaries: Map<Language, Dictionary>;
  /** The word by which a term was met first: what a person is shown. */
  readonly shown: string[];
}

export const emptyVocabulary = (): Vocabulary => ({ dictionaries: new Map(), shown: [] });

/** The term of a word in a text of this language, made when there is none yet; -1 for a stop word. */
export function learn(vocabulary: Vocabulary, language: Language, word: string): number {
  let dictionary = vocabulary.dictionaries.get(language);
  if (!dictionary) vocabulary.dictionaries.set(language, (dictionary = { words: new Map(), stems: new Map() }));
  const known = dictionary.words.get(word);
  if (known !== undefined) return known;
  const stem = stemOf(language, word);
  let term = stem === undefined ? nothing : dictionary.stems.get(stem);
  if (stem !== undefined && term === undefined) {
    term = vocabulary.shown.push(word) - 1;
    dictionary.stems.set(stem, term);
  }
  dictionary.words.set(word, term!);
  return term!;
}

/**
 * Every term that a word of a query may stand for, one a language at most: a query is too short to tell its language.
 * A word that a language stops finds nothing in its texts.
 */
export function termsFor({ dictionaries }: Vocabulary, word: string): number[] {
  const terms: number[] = [];
  for (const [language, { words, stems }] of dictionaries) {
    let term = words.get(word);
    if (term === undefined) {
      const stem = stemOf(language, word);
      term = stem === undefined ? undefined : stems.get(stem);
    }
    if (term !== undefined && term !== nothing) terms.push(term);
  }
  return terms;
}

/** What a word is compared by in texts of this language; undefined for a stop word. */
export function stemOf(language: Language, word: string): string | undefined {
  const { stem, stopWords } = languages[language];
  if (stopWords.has(word)) return undefined;
  const plain = withoutAccents(word);
  // Stemmers know endings with their accents, so they come first; names with digits (q3, 2024) have no endings.
  return /\p{N}/u.test(word) ? plain : withoutAccents(stem(word)) || plain;
}
