import type { CallInput } from '@skillgate/contracts/define-call';
import type { startTurn } from '@skillgate/contracts/calls/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
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
    messages: stateful ? newMessages(request.messages) : request.messages,
    stateful,
    artifacts: request.skillgate?.artifacts ?? [],
    sampling: sampling(request),
  };
}

function newMessages(messages: ChatRequest['messages']): ChatRequest['messages'] {
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  if (fresh.at(-1)?.role === 'user') return fresh;
  throw refuse('invalid-request', "With skillgate.chat_id the last message must be the user's new one.", { param: 'messages' });
}

function sampling({ temperature, top_p, stop, seed, max_tokens, max_completion_tokens }: ChatRequest): TurnRequest['sampling'] {
  const limit = max_completion_tokens ?? max_tokens;
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(top_p == null ? {} : { top_p }),
    ...(stop == null ? {} : { stop }),
    ...(seed == null ? {} : { seed }),
    ...(limit == null ? {} : { max_completion_tokens: limit }),
  };
}
