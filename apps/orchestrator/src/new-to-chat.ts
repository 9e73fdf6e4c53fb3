import type { HistoryItem } from '@skillgate/prompt/history';
import { openCalls } from './client-tools.js';
import { interruptedWord } from './last-word.js';

/**
 * What a turn adds to a chat at its beginning. Clients send their system message with every request: the chat gets each one
 * once. A turn that lost its instance left no last word: it is added, since providers want the assistant to have spoken
 * between two messages of the user. Calls that were handed to the client are a last word.
 */
export function newToChat(history: readonly HistoryItem[], said: readonly HistoryItem[]): HistoryItem[] {
  const known = new Set(history.flatMap((item) => (item.kind === 'notice' ? [item.text] : [])));
  const fresh = said.filter((item) => item.kind !== 'notice' || !known.has(item.text));
  return isOpen(history) ? [interruptedWord, ...fresh] : fresh;
}

function isOpen(history: readonly HistoryItem[]): boolean {
  const last = history.at(-1);
  if (openCalls(history).length > 0) return false;
  return last !== undefined && !(last.kind === 'assistant' && last.calls.length === 0);
}
