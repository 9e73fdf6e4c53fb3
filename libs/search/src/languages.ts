import { stemmer as dutchStemmer } from '@orama/stemmers/dutch';
import { stemmer as englishStemmer } from '@orama/stemmers/english';
import { stemmer as frenchStemmer } from '@orama/stemmers/french';
import { stemmer as germanStemmer } from '@orama/stemmers/german';
import { stemmer as italianStemmer } from '@orama/stemmers/italian';
import { stemmer as portugueseStemmer } from '@orama/stemmers/portuguese';
import { stemmer as russianStemmer } from '@orama/stemmers/russian';
import { stemmer as spanishStemmer } from '@orama/stemmers/spanish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';

/** `any`: a language without a stemmer here; its words stand as they are. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'ru' | 'any';

export interface LanguageRules {
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
}

// What is left of "it's", "l'offre" or "d'accord" when apostrophes split words.
const leftovers = ['s', 't', 'd', 'l', 'm', 'n', 'll', 're', 've', 'qu'];

/** The lists of some languages are written with accents and the words of users are not always: both forms count. */
function rules(stem: (word: string) => string, listed: readonly string[]): LanguageRules {
  const words = listed.flatMap((entry) => entry.toLowerCase().split(/['’]/)).filter((word) => word !== '');
  return { stem, stopWords: new Set([...words, ...words.map(withoutAccents), ...leftovers]) };
}

/** `é` to `e`, `ё` to `е`, `й` to `и`: on both sides of a comparison, never for show. */
export const withoutAccents = (word: string): string => word.normalize('NFD').replace(/\p{M}+/gu, '');

export const languages: Readonly<Record<Language, LanguageRules>> = {
  en: rules(englishStemmer, [...english, 'a']), // the list has "an" alone
  de: rules(germanStemmer, german),
  fr: rules(frenchStemmer, french),
  es: rules(spanishStemmer, spanish),
  it: rules(italianStemmer, italian),
  pt: rules(portugueseStemmer, portuguese),
  nl: rules(dutchStemmer, dutch),
  ru: rules(russianStemmer, russian),
  any: { stem: (word) => word, stopWords: new Set() },
};
