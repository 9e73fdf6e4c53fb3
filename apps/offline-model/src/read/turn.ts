import type { ChatMessage, ToolCall } from '../protocol/chat-message.js';

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
  /** What the house put into or between the user's messages, for models that take one system message alone. */
  asides: string[];
}

export interface AnsweredCall extends ToolCall {
  result: string;
}

export function readTurn(messages: ChatMessage[]): Turn {
  const parted = messages.map((message) => (message.role === 'user' ? partAsides(message.text) : { asides: [], own: '' }));
  // A message of asides alone was not sent by the user.
  const users = messages
    .map((_, i) => i)
    .filter((i) => messages[i]!.role === 'user' && (parted[i]!.own !== '' || parted[i]!.asides.length === 0));
  const last = users.at(-1) ?? messages.length;
  const before = messages.slice(0, last);
  const since = messages.slice(last + 1);
  const spoke = messages.filter((message) => message.role === 'assistant' && message.text.trim() !== '');
  return {
    asked: parted[last]?.own ?? '',
    askedBefore: users
      .slice(0, -1)
      .reverse()
      .map((i) => parted[i]!.own),
    saidBefore: before.filter((message) => message.role === 'assistant' && message.text.trim() !== '').at(-1)?.text ?? '',
    spoken: spoke.length > 0,
    steps: since.filter((message) => message.role === 'assistant').length,
    calls: answeredCalls(since),
    callsBefore: answeredCalls(before),
    system: messages.filter((message) => message.role === 'system' || message.role === 'developer').map((message) => message.text),
    asides: parted.flatMap(({ asides }) => asides),
  };
}

/** Blocks in front of the user's words, such as the day's facts. */
function partAsides(text: string): { asides: string[]; own: string } {
  const asides: string[] = [];
  let own = text.trim();
  for (let match; (match = /^<(facts|notice|loaded_skills)\b[^>]*>[\s\S]*?<\/\1>/.exec(own)); ) {
    asides.push(match[0]);
    own = own.slice(match[0].length).trim();
  }
  return { asides, own };
}

function answeredCalls(messages: ChatMessage[]): AnsweredCall[] {
  const results = new Map(messages.filter((message) => message.role === 'tool').map((message) => [message.toolCallId, message.text]));
  return messages.flatMap((message) => message.toolCalls.map((call) => ({ ...call, result: results.get(call.id) ?? '' })));
}
