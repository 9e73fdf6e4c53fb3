import type { Recognition } from '@skillgate/contracts/route';

/** A turn that ended with this transcript. */
export interface KnownTranscript {
  hash: string;
  chat: string;
  turn: string;
  /** Nothing has happened in the chat since. */
  last: boolean;
}

export type Found = Recognition & { chat?: string; after?: string };

/**
 * Which chat a client goes on with that sends its whole transcript. Only what ends exactly where the transcript does goes on; a chat that
 * has more, or had the same beginning only, is left alone: its model would read what this client never saw.
 *
 * @param beginnings hashes of the beginnings that end with an answer, shortest first
 */
export function recogniseChat(beginnings: readonly string[], known: readonly KnownTranscript[]): Found {
  const longest = beginnings.findLast((hash) => known.some((one) => one.hash === hash));
  const fitting = known.filter(({ hash }) => hash === longest);
  const [one] = fitting;
  if (!one) return { how: 'new' };
  if (fitting.length > 1) return { how: 'ambiguous' };
  return longest === beginnings.at(-1) && one.last ? { how: 'continued', chat: one.chat, after: one.turn } : { how: 'forked', from: one.chat };
}
