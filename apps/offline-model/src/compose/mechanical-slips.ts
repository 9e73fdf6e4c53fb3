import { countWords } from '../text/words.js';
import { splitSentences } from '../text/sentences.js';
import type { Document } from './document.js';

const longSentence = 40;
const mostEach = 3;

/** What a machine can find wrong without understanding a word: each with the place and the words. */
export function mechanicalSlips(document: Document): string[] {
  const placed = document.sections.flatMap((section) =>
    section.blocks.map((block) => ({ where: section.heading || 'the opening', text: block.text, kind: block.kind })),
  );
  const prose = placed.filter(({ kind }) => kind !== 'code' && kind !== 'table');
  const find = (pattern: RegExp, say: (match: string, where: string) => string): string[] =>
    prose.flatMap(({ text, where }) => [...text.matchAll(pattern)].map((match) => say(match[0].trim(), where))).slice(0, mostEach);
  const long = prose
    .flatMap(({ text, where }) => splitSentences(text).map((sentence) => ({ sentence, where, words: countWords(sentence) })))
    .filter(({ words }) => words > longSentence)
    .sort((a, b) => b.words - a.words);
  return [
    ...find(
      /\b(?:TODO|TBD|FIXME|XXX)\b|lorem ipsum|\[(?:citation needed|to be confirmed)[^\]]*\]/gi,
      (mark, where) => `Placeholder left in “${where}”: “${mark}”.`,
    ),
    // "that that" and "had had" can be right.
    ...find(/\b(?!that\b|had\b)(\p{L}{2,})\s+\1\b/giu, (pair, where) => `Word twice in “${where}”: “${pair}”.`),
    ...long
      .slice(0, mostEach)
      .map(
        ({ sentence, where, words }) =>
          `A sentence of ${words} words in “${where}”, beginning “${sentence.split(' ').slice(0, 8).join(' ')} …”.`,
      ),
    ...emptyHeadings(document)
      .slice(0, mostEach)
      .map((heading) => `Heading with nothing under it: “${heading}”.`),
  ];
}

function emptyHeadings({ sections }: Document): string[] {
  return sections
    .filter((section, i) => section.heading !== '' && section.blocks.length === 0 && (sections[i + 1]?.level ?? 0) <= section.level)
    .map((section) => section.heading);
}
