import { countTokens } from './count-tokens.js';

export interface ResultLimit {
  readonly limit: number;
  readonly unit: 'tokens' | 'characters';
  /** How the model may get at the rest, one sentence: where the full text lies. */
  readonly rest?: string;
}

export interface CappedResult {
  readonly text: string;
  /** Characters (code points) that are missing from the middle; 0 when the text came through whole. */
  readonly cut: number;
}

// The beginning says what it is, the end often what came of it.
const headShare = 0.7;

// No text of this many characters a token is worth counting whole before it is cut.
const charactersPerToken = 16;

/**
 * The one place through which every tool result passes on its way to a model: what is longer than the limit keeps its head and its
 * tail, with the number of characters cut between them. Cuts between code points. The mark itself comes on top of the limit.
 */
export function capResult(text: string, { limit, unit, rest }: ResultLimit): CappedResult {
  if (fits(text, limit, unit)) return { text, cut: 0 };
  const size = Math.max(0, Math.floor(limit));
  const headSize = Math.ceil(size * headShare);
  const head = unit === 'tokens' ? tokenEnd(text, headSize, 'head') : characters(text, headSize, 'head');
  const tail = unit === 'tokens' ? tokenEnd(text, size - headSize, 'tail') : characters(text, size - headSize, 'tail');
  if (head.length + tail.length >= text.length) return { text, cut: 0 }; // two ends may count less than their sum
  const cut = lengthOf(text) - lengthOf(head) - lengthOf(tail);
  const mark = `[… ${cut} characters cut from the middle${rest ? `; ${rest}` : ''} …]`;
  return { text: [head, mark, tail].filter(Boolean).join('\n'), cut };
}

function fits(text: string, limit: number, unit: ResultLimit['unit']): boolean {
  if (unit === 'characters') return text.length <= limit || (text.length <= limit * 2 && lengthOf(text) <= limit);
  return text.length <= limit * charactersPerToken && countTokens(text) <= limit;
}

/** The longest end that guessing finds within so many tokens: shortened in proportion until it fits. */
function tokenEnd(text: string, tokens: number, end: 'head' | 'tail'): string {
  let size = Math.min(text.length, tokens * 4); // about four characters a token in plain text
  for (;;) {
    const piece = characters(text, size, end);
    const count = countTokens(piece);
    if (count <= tokens) return piece;
    size = Math.min(size - 1, Math.floor((size * tokens) / count));
  }
}

/** So many code points from one end. */
function characters(text: string, size: number, end: 'head' | 'tail'): string {
  if (size <= 0) return '';
  // A code point takes one or two units, so twice the size in units holds enough of them; the far side may be split and is left out.
  const near = end === 'head' ? text.slice(0, size * 2) : text.slice(-size * 2);
  const points = Array.from(near);
  return (end === 'head' ? points.slice(0, size) : points.slice(-size)).join('');
}

/** Code points, without a copy of the text. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length -= 1; // a surrogate pair
  }
  return length;
}
