import type { CallInput } from '@skillgate/contracts/define-call';
import type { startTurn } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import { strayResult, type ChatMessage } from './chat-message.js';
import type { ChatRequest } from './chat-request.js';

export type TurnRequest = Omit<CallInput<typeof startTurn>, 'ticket'>;

/**
 * What the orchestrator is asked for. A chat that the platform holds gets only what is new in this request; any
 * other chat gets the whole conversation.
 */
export function turnRequest(request: ChatRequest): TurnRequest {
  const stateful = request.skillgate?.chat_id !== undefined;
  return {
    model: request.model,
    messages: (stateful ? newMessages(request.messages) : whole(request.messages)).map(incoming),
    stateful,
    artifacts: request.skillgate?.artifacts ?? [],
    sampling: sampling(request),
    ...(request.tools?.length ? { clientTools: request.tools.map((tool) => tool.function) } : {}),
    ...(request.tool_choice == null ? {} : { toolChoice: typeof request.tool_choice === 'string' ? request.tool_choice : { name: request.tool_choice.function.name } }),
  };
}

/** A result of a tool is sent as what the user's side says, since that is where it comes from. */
function incoming(message: ChatMessage): TurnRequest['messages'][number] {
  if (message.role === 'tool') return { role: 'user', content: message.content, resultOf: message.tool_call_id };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }));
  return { role: 'assistant', content: message.content ?? '', ...(calls.length > 0 && { calls }) };
}

function whole(messages: ChatMessage[]): ChatMessage[] {
  const stray = strayResult(messages);
  if (stray < 0) return messages;
  throw refuse('invalid-request', 'No message before this one has a call of that id. Send the assistant message with the tool_calls, then the results.', {
    param: `messages[${stray}].tool_call_id`,
  });
}

function newMessages(messages: ChatMessage[]): ChatMessage[] {
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const last = fresh.at(-1)?.role;
  if (last === 'user' || last === 'tool') return fresh;
  throw refuse('invalid-request', "With skillgate.chat_id the last message must be the user's new one, or the result of a tool of yours.", { param: 'messages' });
}

/** Fields that the model gets as they came; null is as good as absent. */
const passedOn = [
  ...(['temperature', 'top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias'] as const),
  ...(['parallel_tool_calls', 'reasoning_effort', 'verbosity'] as const),
];

function sampling(request: ChatRequest): TurnRequest['sampling'] {
  const { max_tokens, max_completion_tokens, response_format: format } = request;
  const limit = max_completion_tokens ?? max_tokens;
  return {
    ...Object.fromEntries(passedOn.flatMap((name) => (request[name] == null ? [] : [[name, request[name]]]))),
    ...(limit == null ? {} : { max_completion_tokens: limit }),
    ...(format == null || format.type === 'text' ? {} : { response_format: format }),
  };
}
