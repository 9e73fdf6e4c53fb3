import type { Node, Parent, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';

/** What a reader should find in the file: one entry a paragraph, in reading order. */
export function paragraphsOf(tree: Root): string[] {
  const paragraphs: string[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') paragraphs.push(phrase(node));
    else if (node.type === 'code') paragraphs.push((node as unknown as { value: string }).value);
    else if ('children' in node) (node as Parent).children.forEach(walk);
  };
  walk(tree);
  return paragraphs;
}

const phrase = (node: Node): string => {
  if (node.type === 'break') return '\n';
  return 'children' in node ? (node as Parent).children.map(phrase).join('') : toString(node);
};

/** Runs of any white space count as one blank: where lines break is layout, not text. */
export const normaliseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

export interface HeadingLine {
  level: number;
  text: string;
}

export const headingsOf = (tree: Root): HeadingLine[] =>
  tree.children.flatMap((node) => (node.type === 'heading' ? [{ level: node.depth, text: normaliseSpace(phrase(node)) }] : []));

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Words as Unicode segments them, so that Chinese and Japanese, written without blanks, are counted too. */
export function countWords(text: string): number {
  let words = 0;
  for (const segment of segmenter.segment(text)) if (segment.isWordLike) words += 1;
  return words;
}
