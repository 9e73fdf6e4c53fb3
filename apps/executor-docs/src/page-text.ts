import { refuse } from '@skillgate/contracts/refusal';
import { z } from 'zod';

/** Characters of one page. The most stays under the wire's message limit even when JSON escapes every one of them. */
const pageSize = { usual: 12_000, most: 30_000 };

/** Fields of every tool that reads text in pages. */
export const pagingInput = {
  offset: z.number().int().min(0).default(0).describe('Where to begin, in characters. Use next_offset of the last call to read on.'),
  limit: z.number().int().min(200).max(pageSize.most).default(pageSize.usual).describe('Most characters to return.'),
};

export const pagingOutput = {
  text: z.string(),
  offset: z.number().int(),
  total: z.number().int(),
  /** null: this was the last page. */
  next_offset: z.number().int().nullable(),
};

/**
 * One page of a text. Characters are UTF-16 units, as offsets in JavaScript are; a page never ends inside a
 * character, and rather at a line end or a blank where one is near.
 * @throws the refusal `offset-past-end`
 */
export function pageOf(text: string, offset: number, limit: number) {
  const total = text.length;
  if (offset > 0 && offset >= total)
    throw refuse('offset-past-end', `The text has ${total} characters, so there is nothing at ${offset}. Use an offset below ${total}.`);
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset;
  const end = pageEnd(text, start, limit);
  return { text: text.slice(start, end), offset: start, total, next_offset: end < total ? end : null };
}

function pageEnd(text: string, start: number, limit: number): number {
  const hard = start + limit;
  if (hard >= text.length) return text.length;
  const near = text.slice(hard - Math.floor(limit / 10), hard);
  const cut = Math.max(near.lastIndexOf('\n'), near.includes('\n') ? -1 : near.lastIndexOf(' '));
  if (cut >= 0) return hard - near.length + cut + 1;
  return isLowSurrogate(text, hard) ? hard - 1 : hard;
}

const isLowSurrogate = (text: string, at: number): boolean =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
