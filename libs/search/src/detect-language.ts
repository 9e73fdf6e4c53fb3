import { languages, type Language } from './languages.js';
import { wordsOf } from './words-of.js';

const latin = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const;

/** Which languages a stop word belongs to: a word of one speaks louder for it than a word of four. */
const speaksFor = new Map<string, Language[]>();
for (const language of latin) {
  for (const word of languages[language].stopWords) speaksFor.set(word, [...(speaksFor.get(word) ?? []), language]);
}

const read = 1000; // characters; a language shows in far fewer
const letters = /\p{L}/gu;
const cyrillic = /\p{Script=Cyrillic}/gu;
const latinLetters = /\p{Script=Latin}/gu;

/**
 * The language that a text's words are stemmed by: by its script first, then by its stop words. A short Latin text that
 * shows none is taken for English, in which product names and headings are written also elsewhere.
 */
export function detectLanguage(text: string): Language {
  const sample = text.slice(0, read);
  const all = count(sample, letters);
  if (count(sample, cyrillic) * 2 > all) return 'ru';
  if (all > 0 && count(sample, latinLetters) * 2 <= all) return 'any';
  const votes: Partial<Record<Language, number>> = {};
  for (const word of wordsOf(sample)) {
    const spoken = speaksFor.get(word) ?? [];
    for (const language of spoken) votes[language] = (votes[language] ?? 0) + 1 / spoken.length;
  }
  return latin.reduce<Language>((best, language) => ((votes[language] ?? 0) > (votes[best] ?? 0) ? language : best), 'en');
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
