import type { ChatMessage, ToolCall } from '../protocol/chat-request.js';

/** A conversation as the stand-in looks at it: what was asked now, and what happened since. */
export interface Turn {
  /** The user's last message. */
  asked: string;
  /** Earlier user messages, newest first. */
  askedBefore: string[];
  /** What the assistant said last, before the user's last message; '' when it has not spoken yet. */
  saidBefore: string;
  /** Has the assistant said anything to the user in this conversation? */
  spoken: boolean;
  /** Model answers since the user's last message. */
  steps: number;
  /** Calls since the user's last message, with their results. */
  calls: AnsweredCall[];
  /** Calls of earlier turns. */
  callsBefore: AnsweredCall[];
  /** System and developer messages, wherever they stand. */
  system: string[];
}

export interface AnsweredCall extends ToolCall {
  result: string;
}

export function readTurn(messages: ChatMessage[]): Turn {
  const users = messages.map((message, i) => (message.role === 'user' ? i : -1)).filter((i) => i >= 0);
  const last = users.at(-1) ?? messages.length;
  const before = messages.slice(0, last);
  const since = messages.slice(last + 1);
  const spoke = messages.filter((message) => message.role === 'assistant' && message.text.trim() !== '');
  return {
    asked: messages[last]?.text ?? '',
    askedBefore: users.slice(0, -1).reverse().map((i) => messages[i]!.text),
    saidBefore: before.filter((message) => message.role === 'assistant' && message.text.trim() !== '').at(-1)?.text ?? '',
    spoken: spoke.length > 0,
    steps: since.filter((message) => message.role === 'assistant').length,
    calls: answeredCalls(since),
    callsBefore: answeredCalls(before),
    system: messages.filter((message) => message.role === 'system' || message.role === 'developer').map((message) => message.text),
  };
}

function answeredCalls(messages: ChatMessage[]): AnsweredCall[] {
  const results = new Map(messages.filter((message) => message.role === 'tool').map((message) => [message.toolCallId, message.text]));
  return messages.flatMap((message) => message.toolCalls.map((call) => ({ ...call, result: results.get(call.id) ?? '' })));
}
