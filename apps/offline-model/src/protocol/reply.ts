import { randomUUID } from 'node:crypto';
import type { ChatRequest } from './chat-request.js';
import { charactersPerToken, countUsage, type Usage } from './count-tokens.js';

/** What the stand-in decided: to say something, or to call one function. */
export type Reply = { say: string } | { call: { name: string; arguments: Record<string, unknown> } };

export type FinishReason = 'stop' | 'length' | 'tool_calls';

/** One answer, ready for either transport. */
export interface Completion {
  id: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
  text: string | null;
  call: { id: string; name: string; arguments: string } | null;
  finish: FinishReason;
  usage: Usage;
}

export function complete(request: ChatRequest, reply: Reply): Completion {
  const frame = { id: `chatcmpl-${randomUUID().replaceAll('-', '')}`, created: Math.floor(Date.now() / 1000), model: request.model };
  if ('call' in reply) {
    const call = {
      id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      name: reply.call.name,
      arguments: JSON.stringify(reply.call.arguments),
    };
    return { ...frame, text: null, call, finish: 'tool_calls', usage: countUsage(request, call.name + call.arguments) };
  }
  const { text, finish } = cut(reply.say, request);
  return { ...frame, text, call: null, finish, usage: countUsage(request, text) };
}

function cut(text: string, request: ChatRequest): { text: string; finish: FinishReason } {
  const stops = request.stop.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  const kept = stops.length > 0 ? text.slice(0, Math.min(...stops)) : text;
  const room = (request.maxTokens ?? Infinity) * charactersPerToken;
  return kept.length > room ? { text: kept.slice(0, room), finish: 'length' } : { text: kept, finish: 'stop' };
}

/** The body of a plain, unstreamed answer. */
export function completionBody(completion: Completion): object {
  const { id, created, model, text, call, finish, usage } = completion;
  const toolCalls = call ? [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }] : undefined;
  const message = { role: 'assistant', content: text, refusal: null, ...(toolCalls ? { tool_calls: toolCalls } : {}) };
  return { id, object: 'chat.completion', created, model, choices: [{ index: 0, message, logprobs: null, finish_reason: finish }], usage };
}
