import { randomBytes } from 'node:crypto';
import { accumulateCalls, type CallPiece } from '@skillgate/prompt/accumulate-calls';
import type { HistoryCall } from '@skillgate/prompt/history';
import type OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { boundCalls } from './bound-calls.js';
import { keepFields, type KeptFields } from './keep-fields.js';
import { asHouseError, cut, stalled, unbroken } from './model-errors.js';
import { z } from 'zod';

const callPiece = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`;

export interface ModelAnswer {
  text: string;
  /** With our own ids: providers repeat theirs, leave them out, or shape them as other providers refuse. */
  calls: HistoryCall[];
  /** Pieces of calls that belonged to none, one sentence each. */
  problems: string[];
  /** The provider's word, or `cut` when the stream ended without one. */
  finish: string;
  /** Null when the provider reports none. */
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number } | null;
}

export interface ModelOptions {
  signal: AbortSignal;
  /** Milliseconds without a byte after which the stream counts as stalled. */
  stallMs: number;
  onText(text: string): void;
  /** Names of fields that the provider wants back; see `keeps` in models.yaml. */
  keeps?: readonly string[];
}

/**
 * One try of a model call over an OpenAI-compatible endpoint, streamed.
 *
 * @throws unavailable `model-unreachable`, `model-overloaded`, `model-stalled` or `model-cut`; refusal `model-refused-request` or
 * `model-context-exceeded`; the reason of `signal` when it was aborted
 */
export async function askModel(client: OpenAI, request: ChatCompletionCreateParamsStreaming, options: ModelOptions): Promise<ModelAnswer> {
  const { stallMs, onText } = options;
  const stall = new AbortController();
  const signal = AbortSignal.any([options.signal, stall.signal]);
  const watch = setTimeout(() => stall.abort(), stallMs);
  const calls = accumulateCalls(newCallId);
  const bound = boundCalls();
  const kept = keepFields(options.keeps ?? []);
  const answer: ModelAnswer = { text: '', calls: [], problems: [], finish: 'cut', usage: null };
  try {
    for await (const chunk of unbroken(await client.chat.completions.create(request, { signal }))) {
      watch.refresh();
      take(chunk, answer, calls, onText, kept.of);
      kept.message(chunk.choices?.[0]?.delta);
      bound.take(chunk);
    }
    // The client ends an aborted stream as if it were whole.
    options.signal.throwIfAborted();
    if (stall.signal.aborted) throw stalled(stallMs);
    const { calls: whole, problems } = calls.finish();
    answer.calls = whole.map(({ name, arguments: text, kept: call }, n) => ({ id: newCallId(), name, arguments: text, ...kept.provider(request.model, n, call) }));
    answer.problems = problems;
    if (whole.length === 0 && problems.length > 0) throw cut('The model asked for a tool in a form that cannot be read.');
    return answer;
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw stall.signal.aborted ? stalled(stallMs) : asHouseError(error, (request.tools ?? []).map((tool) => ('function' in tool ? tool.function.name : '')));
  } finally {
    clearTimeout(watch);
  }
}

function take(chunk: ChatCompletionChunk, answer: ModelAnswer, calls: ReturnType<typeof accumulateCalls>, onText: (text: string) => void, keptOf: KeptFields['of']): void {
  answer.usage = usageOf(chunk.usage) ?? answer.usage;
  const [choice] = chunk.choices ?? [];
  if (!choice) return;
  if (choice.finish_reason) answer.finish = choice.finish_reason;
  const text: unknown = choice.delta?.content ?? choice.delta?.refusal;
  if (typeof text === 'string' && text) {
    answer.text += text;
    onText(text);
  }
  for (const piece of piecesOf(choice.delta?.tool_calls, keptOf)) calls.add(piece);
}

/** What has the form of a piece. @throws unavailable `model-cut` for anything else: a call half understood must not run */
function piecesOf(sent: unknown, keptOf: KeptFields['of']): CallPiece[] {
  if (sent === undefined || sent === null) return [];
  const parsed = z.array(callPiece).safeParse(sent);
  if (!parsed.success) throw cut('The model asked for a tool in a form that cannot be read.');
  return parsed.data.map((piece, n) => ({ ...piece, kept: keptOf((sent as unknown[])[n]) }));
}

/** Servers leave out any part of it; half a report counts as none. */
function usageOf(usage: ChatCompletionChunk['usage']): ModelAnswer['usage'] {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = usage ?? {};
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  return { inputTokens, outputTokens, cachedTokens: isCount(details?.cached_tokens) ? details.cached_tokens : 0 };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
