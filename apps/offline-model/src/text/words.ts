import { stem } from './stem.js';

const stopList = `
a about above after again all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each few for from further had has have having he her here hers him his how i if in
into is it its itself just let like may me might more most must my no nor not now of off on once only or other our
ours out over own per please same shall she should so some such than that the their theirs them then there these they
this those through to too under until up us use used using very was we were what when where which while who whom why
will with would you your yours want need get got give hey hi hello thanks thank i’m i'm don't it's that's
`;
/** English words that carry no topic. Other languages lose nothing but a little weight on their own. */
const stopWords = new Set(stopList.trim().split(/\s+/));

// The segmenter knows word borders in scripts that write no spaces.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Words in order, lower-case, stop words kept. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment.toLowerCase());
  return words;
}

export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** Stems of the words that carry a topic, in order, repeats kept. */
export function stemsOf(text: string): string[] {
  // Hyphens and underscores join words in slugs and names; here they part them.
  return wordsOf(text.replace(/[-_/]+/g, ' '))
    .filter((word) => word.length > 1 && !stopWords.has(word))
    .map(stem);
}
