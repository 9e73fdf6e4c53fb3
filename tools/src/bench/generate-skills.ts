import { languages } from '@skillgate/search/languages';
import type { SearchedSkill } from '@skillgate/search/searched-skill';
import { pick, seeded, zipf } from './seeded.js';

/** Distinct words of the generated language; English prose of ten thousand pages has about as many. */
const wordCount = 40_000;
/** Skills of one subject share its words, so that a query has competitors. */
const subjectCount = 300;
const subjectWords = 60;

export interface GeneratedCatalog {
  readonly skills: readonly (SearchedSkill & { readonly body: string })[];
  /** Requests as users write them: words of one skill's subject among everyday words. */
  readonly queries: readonly string[];
}

/** Skills with bodies of 300 to 1,100 words, and queries of 4 to 9 words for them. The same numbers give the same texts. */
export function generateCatalog(skillCount: number, queryCount: number, seed = 1): GeneratedCatalog {
  const random = seeded(seed);
  const words = makeWords(random);
  const everyday = zipf(words.length, random);
  // Subjects are made of rarer words: everybody's words tell no skill from another.
  const subjects = Array.from({ length: subjectCount }, () => Array.from({ length: subjectWords }, () => words[200 + Math.floor(random() * 20_000)]!));
  const text = (length: number, subject: readonly string[], share: number) =>
    Array.from({ length }, () => (random() < share ? pick(subject, random) : words[everyday()]!)).join(' ');
  const skills = Array.from({ length: skillCount }, (_, number) => {
    const subject = subjects[number % subjectCount]!;
    return {
      slug: `${pick(subject, random)}-${pick(subject, random)}-${number}`,
      description: `${text(18, subject, 0.4)}. Use for ${text(12, subject, 0.4)}. Not for ${text(8, pick(subjects, random), 0.4)}.`,
      body: paragraphs(text(300 + Math.floor(random() * 800), subject, 0.25)),
    };
  });
  const queries = Array.from({ length: queryCount }, () => text(4 + Math.floor(random() * 6), pick(subjects, random), 0.5));
  return { skills, queries };
}

/** The most frequent words are English stop words, as in real texts; the others are made of syllables, short ones first. */
function makeWords(random: () => number): string[] {
  const words = new Set([...languages.en.stopWords].filter((word) => word.length > 1));
  const syllables = [...'bcdfglmnprstv'].flatMap((onset) => ['a', 'e', 'i', 'o', 'u', 'ai', 'or'].map((vowel) => onset + vowel));
  const endings = ['', '', 'n', 'r', 'st', 'ing', 'ed', 's', 'tion', 'ly'];
  while (words.size < wordCount) {
    const length = words.size < 600 ? 2 : 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => pick(syllables, random)).join('') + pick(endings, random));
  }
  return [...words];
}

const paragraphs = (text: string): string => text.replace(/((?:\S+ ){60})/g, '$1\n\n## ');
