import { countWords, stemsOf } from '../text/words.js';
import { isWholeSentence, splitSentences } from '../text/sentences.js';
import type { Block, Document } from './document.js';

/** A sentence or list item of the source, as it stands there. */
export interface Statement {
  text: string;
  /** Index in `document.sections`. */
  section: number;
  /** Index of its block within the section: neighbours in one paragraph share it. */
  block: number;
  /** Place within its section, from 0. */
  place: number;
  words: number;
  stems: Set<string>;
  /** A whole sentence, as against a list item's fragment. */
  whole: boolean;
  kind: Block['kind'];
  /** From a box of a task list that is not ticked. */
  open: boolean;
}

/** Longer ones are no statement that a page could quote. */
const mostWords = 45;

/** All that may be quoted, in order: no headings, code, tables, or lines that only announce what follows. */
export function statementsOf(document: Document): Statement[] {
  return document.sections.flatMap((section, index) => {
    let place = 0;
    return section.blocks.flatMap((block, at) =>
      partsOf(block)
        .filter((text) => !/[:：]$/.test(text))
        .map((text): Statement => {
          const whole = isWholeSentence(text);
          return {
            text,
            section: index,
            block: at,
            place: place++,
            words: countWords(text),
            stems: new Set(stemsOf(text)),
            whole,
            kind: block.kind,
            open: block.open === true,
          };
        })
        .filter((statement) => statement.words > 0 && statement.words <= mostWords),
    );
  });
}

function partsOf(block: Block): string[] {
  if (block.kind === 'table' || block.kind === 'code') return [];
  const sentences = splitSentences(block.text);
  if (block.kind === 'paragraph') return sentences.filter(isWholeSentence);
  // An item is quoted as one when it is short or no prose; a long one by its sentences.
  if (block.kind === 'item') return countWords(block.text) <= 30 || !sentences.every(isWholeSentence) ? [block.text] : sentences;
  // Speech keeps its speaker with every sentence.
  const speaker = /^.{1,60}?:\s+/.exec(block.text)![0];
  return splitSentences(block.text.slice(speaker.length)).map((sentence) => speaker + sentence);
}
