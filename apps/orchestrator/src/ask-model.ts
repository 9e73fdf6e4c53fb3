import { randomBytes } from 'node:crypto';
import { refuse, unavailable, HouseError } from '@skillgate/contracts/refusal';
import { accumulateCalls } from '@skillgate/prompt/accumulate-calls';
import type { HistoryCall } from '@skillgate/prompt/history';
import OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';

const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`;

export interface ModelAnswer {
  text: string;
  /** With our own ids: providers repeat theirs, leave them out, or shape them as other providers refuse. */
  calls: HistoryCall[];
  /** Pieces of calls that belonged to none, one sentence each. */
  problems: string[];
  /** The provider's word, or `cut` when the stream ended without one. */
  finish: string;
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number } | null;
}

export interface ModelOptions {
  signal: AbortSignal;
  /** Milliseconds without a byte after which the stream counts as stalled. */
  stallMs: number;
  onText(text: string): void;
}

/**
 * One model call over an OpenAI-compatible endpoint, streamed.
 *
 * @throws unavailable `model-unreachable`, `model-overloaded`, `model-stalled` or `model-cut`; refusal `model-refused-request`
 */
export async function askModel(client: OpenAI, request: ChatCompletionCreateParamsStreaming, options: ModelOptions): Promise<ModelAnswer> {
  const stall = new AbortController();
  const watch = setTimeout(() => stall.abort(), options.stallMs);
  const signal = AbortSignal.any([options.signal, stall.signal]);
  const calls = accumulateCalls(newCallId);
  const answer: ModelAnswer = { text: '', calls: [], problems: [], finish: 'cut', usage: null };
  try {
    for await (const chunk of unbroken(await client.chat.completions.create(request, { signal }))) {
      watch.refresh();
      take(chunk, answer, calls, options.onText);
    }
    options.signal.throwIfAborted();
    if (stall.signal.aborted) throw stalled(options.stallMs);
    const { calls: whole, problems } = calls.finish();
    answer.calls = whole.map((call) => ({ ...call, id: newCallId() }));
    answer.problems = problems;
    return answer;
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw stall.signal.aborted ? stalled(options.stallMs) : asHouseError(error);
  } finally {
    clearTimeout(watch);
  }
}

/** A connection that breaks in mid-stream surfaces as whatever the network stack throws; to us it is a cut answer. */
async function* unbroken(stream: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<ChatCompletionChunk> {
  try {
    yield* stream;
  } catch (error) {
    if (error instanceof OpenAI.APIError) throw error;
    throw new HouseError({ kind: 'unavailable', slug: 'model-cut', message: 'The model stopped in mid-answer. Send your message again.' }, { cause: error });
  }
}

function take(chunk: ChatCompletionChunk, answer: ModelAnswer, calls: ReturnType<typeof accumulateCalls>, onText: (text: string) => void): void {
  const { usage } = chunk;
  if (usage) {
    const cachedTokens = usage.prompt_tokens_details?.cached_tokens ?? 0;
    answer.usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, cachedTokens };
  }
  const [choice] = chunk.choices ?? [];
  if (!choice) return;
  if (choice.finish_reason) answer.finish = choice.finish_reason;
  const text = choice.delta?.content ?? choice.delta?.refusal;
  if (text) {
    answer.text += text;
    onText(text);
  }
  for (const piece of choice.delta?.tool_calls ?? []) calls.add(piece);
}

const stalled = (ms: number): HouseError => unavailable('model-stalled', `The model sent nothing for ${ms / 1000} s. Send your message again.`);

/** The vendor's errors by who must act; its message may quote the request and stays out of ours. */
function asHouseError(error: unknown): Error {
  if (error instanceof HouseError) return error;
  if (error instanceof OpenAI.APIConnectionError) {
    return new HouseError({ kind: 'unavailable', slug: 'model-unreachable', message: 'The model endpoint cannot be reached. Try again in a moment.' }, { cause: error });
  }
  if (!(error instanceof OpenAI.APIError)) return error as Error;
  const { status } = error;
  if (status === undefined || status === 429 || status >= 500) {
    const retryAfter = Number(error.headers?.get('retry-after'));
    const retryAfterMs = retryAfter > 0 ? retryAfter * 1000 : undefined;
    const message = 'The model is overloaded or failing. Try again in a moment.';
    return new HouseError({ kind: 'unavailable', slug: 'model-overloaded', message, retryAfterMs }, { cause: error });
  }
  const refused = refuse('model-refused-request', `The model endpoint answered ${status}. The operator finds the reason under this correlation id.`);
  return new HouseError(refused.toWire(), { cause: error });
}
