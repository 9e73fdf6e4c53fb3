import { isHouseError, isRefusal } from '@skillgate/contracts/refusal';
import type { ClientCall, TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { TurnContext } from './turn-context.js';

/** How the loop ended: with a word of the model, or with an error. */
export type LoopEnd = { finishReason: TurnOutcome['finishReason']; limit?: TurnOutcome['limit']; calls?: readonly ClientCall[] } | { error: unknown };

/** What user and journal are told. The answer is exactly the text that was streamed. */
export function outcomeOf(context: TurnContext, end: LoopEnd): TurnOutcome {
  const error = 'error' in end ? describe(context, end.error) : null;
  const status = !error ? 'finished' : error.slug === 'turn-cancelled' ? 'cancelled' : 'failed';
  const finishReason = 'error' in end ? (status === 'cancelled' ? 'cancelled' : 'error') : end.finishReason;
  const limit = 'limit' in end && end.limit ? { limit: end.limit } : {};
  const calls = 'calls' in end && end.calls ? { calls: [...end.calls] } : {};
  const { publisher, artifacts } = context;
  const { promptTokens, completionTokens, cachedTokens } = context.usage;
  return { status, answer: publisher.text, finishReason, error, artifacts, usage: { promptTokens, completionTokens, cachedTokens }, ...limit, ...calls };
}

/** Refusals and outages in their own words; whatever is our fault only with a number under which we find it. */
function describe({ log, turn }: TurnContext, error: unknown): NonNullable<TurnOutcome['error']> {
  const correlationId = turn.traceId;
  const level = isRefusal(error) ? 'info' : 'warn';
  log[level]({ err: error, turn: turn.turn }, 'a turn did not finish');
  if (isHouseError(error) && (error.kind === 'refusal' || error.kind === 'unavailable')) {
    return { slug: error.slug, message: error.message, correlationId };
  }
  return { slug: 'internal', message: 'The platform failed to finish this turn; its operator finds the reason under the correlation id.', correlationId };
}
