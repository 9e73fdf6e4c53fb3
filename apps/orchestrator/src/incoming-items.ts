import type { IncomingMessage } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import type { HistoryItem } from '@skillgate/prompt/history';

/**
 * A client's messages as history: the day's facts before what the user says now, the attached files behind it.
 *
 * @param attached from `attachmentsOf`
 * @throws refusal `empty-conversation` when the user does not have the last word
 */
export function incomingItems(messages: readonly IncomingMessage[], attached: string, now: Date): HistoryItem[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') throw refuse('empty-conversation', 'The last message must be the user\'s. Put the question at the end of "messages".');
  const sayingNow = messages.findLastIndex(({ role }) => role !== 'user') + 1;
  const facts: HistoryItem = { kind: 'facts', text: `Today is ${now.toISOString().slice(0, 10)} (UTC).` };
  return [
    ...messages.slice(0, sayingNow).flatMap(itemsOf),
    facts,
    ...messages.slice(sayingNow, -1).flatMap(itemsOf),
    { kind: 'user', content: withAttachments(last.content, attached) },
  ];
}

function itemsOf({ role, content }: IncomingMessage): HistoryItem[] {
  if (role === 'user') return [{ kind: 'user', content }];
  const text = typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text.trim() === '') return []; // says nothing, and providers refuse it
  return [role === 'assistant' ? { kind: 'assistant', text, calls: [] } : { kind: 'notice', text }];
}

function withAttachments(content: IncomingMessage['content'], attached: string): IncomingMessage['content'] {
  if (!attached) return content;
  return typeof content === 'string' ? `${content}\n\n${attached}` : [...content, { type: 'text', text: attached }];
}
