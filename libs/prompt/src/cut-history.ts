import { capResult } from './cap-result.js';
import type { UserContent } from './chat-message.js';
import type { HistoryItem } from './history.js';
import { itemTokens } from './item-tokens.js';

export interface HistoryCut {
  /** The first item that stays as it is. */
  readonly from: number;
  /** What the turn at the end was asked, where that lies before the cut: stays too. */
  readonly carried: HistoryItem[];
}

/**
 * Where a history that has become too long may be cut: before a turn, and in the turn at its end before a round or behind the last, so
 * that no call is parted from its result. Of these the first behind which no more than `keepTokens` are left.
 *
 * @param standing how many items at the beginning are what an earlier cut left there; there is none among them
 * @returns null where there is nothing to cut
 */
export function cutHistory(history: readonly HistoryItem[], standing: number, keepTokens: number): HistoryCut | null {
  const asked = history.findLastIndex(({ kind }) => kind === 'user');
  const turn = startOfTurn(history, asked);
  const places = history.flatMap((item, at) => (isStart(history, at, turn, asked) ? [at] : []));
  if (asked < history.length - 1 && history.at(-1)?.kind !== 'assistant') places.push(history.length);
  let from: number | undefined;
  let left = 0;
  let at = history.length;
  for (const place of places.filter((one) => one > standing).reverse()) {
    for (; at > place; at -= 1) left += itemTokens(history[at - 1]!);
    if (from !== undefined && left > keepTokens) break;
    from = place; // the last place is taken in any case: better too much than nothing
    if (left > keepTokens) break;
  }
  if (from === undefined) return null;
  const carried = asked >= 0 && from > asked ? history.slice(turn, asked + 1).filter(({ kind }) => kind === 'user' || kind === 'facts' || kind === 'notice') : [];
  return { from, carried: carried.map((item) => (item.kind === 'user' ? { kind: 'user', content: shortened(item.content, keepTokens) } : item)) };
}

/** Facts, notices and loads stand before the words of the user whom they introduce. */
function startOfTurn(history: readonly HistoryItem[], asked: number): number {
  let start = asked;
  while (start > 0 && ['user', 'facts', 'notice', 'loaded'].includes(history[start - 1]!.kind)) start -= 1;
  return Math.max(start, 0);
}

function isStart(history: readonly HistoryItem[], at: number, turn: number, asked: number): boolean {
  const { kind } = history[at]!;
  if (at > asked) return kind === 'assistant';
  if (at > turn || at === 0) return at === turn && at > 0;
  const before = history[at - 1]!;
  return at === turn || ((kind === 'user' || kind === 'facts') && before.kind === 'assistant' && before.calls.length === 0);
}

const shortened = (content: UserContent, limit: number): UserContent => {
  const cap = (text: string) => capResult(text, { limit, unit: 'tokens', rest: 'the message was longer than fits' }).text;
  return typeof content === 'string' ? cap(content) : content.map((part) => (part.type === 'text' ? { type: part.type, text: cap(part.text) } : part));
};
