import type { ClientCall, TurnOutcome } from '@skillgate/contracts/turn-stream';

/** What every chunk or completion of a turn carries. */
export interface CompletionHead {
  id: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
}

export const completionHead = (turn: string, model: string, now = Date.now()): CompletionHead => ({
  id: `chatcmpl-${turn}`,
  created: Math.floor(now / 1000),
  model,
});

interface ChunkExtras {
  /** `null` while the usage chunk is still to come, as the vendor has it; absent when nobody asked for usage. */
  usage?: null;
  skillgate?: unknown;
}

interface Delta {
  role?: 'assistant';
  content?: string;
  tool_calls?: readonly object[];
}

export const chunk = (head: CompletionHead, delta: Delta, finishReason: string | null, extras: ChunkExtras = {}) => ({
  id: head.id,
  object: 'chat.completion.chunk' as const,
  created: head.created,
  model: head.model,
  choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
  ...extras,
});

export const usageChunk = (head: CompletionHead, usage: TurnOutcome['usage']) => ({
  id: head.id,
  object: 'chat.completion.chunk' as const,
  created: head.created,
  model: head.model,
  choices: [],
  usage: vendorUsage(usage),
});

export const completion = (head: CompletionHead, outcome: Pick<TurnOutcome, 'answer' | 'finishReason' | 'usage' | 'calls'>, skillgate: unknown) => ({
  id: head.id,
  object: 'chat.completion' as const,
  created: head.created,
  model: head.model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant' as const,
        content: outcome.calls && outcome.answer === '' ? null : outcome.answer,
        refusal: null,
        ...(outcome.calls && { tool_calls: outcome.calls.map(vendorCall) }),
      },
      finish_reason: vendorFinish(outcome),
      logprobs: null,
    },
  ],
  usage: vendorUsage(outcome.usage),
  skillgate,
});

/** Clients know these reasons of ours; a failed or cancelled turn never gets this far. */
export const vendorFinish = ({ finishReason, calls }: Pick<TurnOutcome, 'finishReason' | 'calls'>): 'stop' | 'length' | 'content_filter' | 'tool_calls' => {
  if (calls?.length) return 'tool_calls';
  return finishReason === 'length' || finishReason === 'content_filter' ? finishReason : 'stop';
};

const vendorCall = ({ id, name, arguments: text }: ClientCall) => ({ id, type: 'function' as const, function: { name, arguments: text } });

/** The same in a chunk, whole: clients put the pieces together by their index. */
export const callsDelta = (calls: readonly ClientCall[]): Delta => ({ tool_calls: calls.map((call, index) => ({ index, ...vendorCall(call) })) });

const vendorUsage = ({ promptTokens, completionTokens, cachedTokens }: TurnOutcome['usage']) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
});
