import type { IncomingMessage } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import type { HistoryItem } from '@skillgate/prompt/history';

/**
 * A client's messages as history: the day's facts before what the user says now, the attached files behind it. Where the client goes on
 * with results of its tools, the round goes on as well and nothing comes in between.
 *
 * @param attached from `attachmentsOf`
 * @throws refusal `empty-conversation` when neither the user nor a tool of the client has the last word
 */
export function incomingItems(messages: readonly IncomingMessage[], attached: string, now: Date): HistoryItem[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') throw refuse('empty-conversation', 'The last message must be the user\'s. Put the question at the end of "messages".');
  if (last.resultOf !== undefined) {
    if (attached) throw refuse('empty-conversation', 'Files come with a message of the user. Send the results of your tools first.');
    return messages.flatMap(itemsOf);
  }
  const sayingNow = messages.findLastIndex(({ role, resultOf }) => role !== 'user' || resultOf !== undefined) + 1;
  const facts: HistoryItem = { kind: 'facts', text: `Today is ${now.toISOString().slice(0, 10)} (UTC).` };
  return [
    ...messages.slice(0, sayingNow).flatMap(itemsOf),
    facts,
    ...messages.slice(sayingNow, -1).flatMap(itemsOf),
    { kind: 'user', content: withAttachments(last.content, attached) },
  ];
}

function itemsOf({ role, content, calls = [], resultOf }: IncomingMessage): HistoryItem[] {
  if (resultOf !== undefined) return [{ kind: 'result', callId: resultOf, content: textOf(content) }];
  if (role === 'user') return [{ kind: 'user', content }];
  const text = textOf(content);
  if (calls.length > 0) return [{ kind: 'assistant', text, calls, from: 'client' }];
  if (text.trim() === '') return []; // says nothing, and providers refuse it
  return [role === 'assistant' ? { kind: 'assistant', text, calls: [] } : { kind: 'notice', text }];
}

const textOf = (content: IncomingMessage['content']): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('');

function withAttachments(content: IncomingMessage['content'], attached: string): IncomingMessage['content'] {
  if (!attached) return content;
  return typeof content === 'string' ? `${content}\n\n${attached}` : [...content, { type: 'text', text: attached }];
}
