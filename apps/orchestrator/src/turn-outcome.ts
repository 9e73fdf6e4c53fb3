import { isHouseError } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { TurnContext } from './turn-context.js';

/** How the loop ended: with a word of the model, or with an error. */
export type LoopEnd = { finishReason: TurnOutcome['finishReason'] } | { error: unknown };

/** What user and journal are told. The answer is exactly the text that was streamed. */
export function outcomeOf(context: TurnContext, end: LoopEnd): TurnOutcome {
  const error = 'error' in end ? describe(context, end.error) : null;
  const status = !error ? 'finished' : error.slug === 'turn-cancelled' ? 'cancelled' : 'failed';
  const finishReason = 'error' in end ? (status === 'cancelled' ? 'cancelled' : 'error') : end.finishReason;
  return { status, answer: context.publisher.text, finishReason, error, artifacts: context.artifacts, usage: usageOf(context) };
}

/** Refusals and outages in their own words; whatever is our fault only with a number under which we find it. */
function describe({ log, turn }: TurnContext, error: unknown): NonNullable<TurnOutcome['error']> {
  const correlationId = turn.traceId;
  log.warn({ err: error, turn: turn.turn }, 'a turn did not finish');
  if (isHouseError(error) && (error.kind === 'refusal' || error.kind === 'unavailable')) {
    return { slug: error.slug, message: error.message, correlationId };
  }
  return { slug: 'internal', message: 'The platform failed to finish this turn; its operator finds the reason under the correlation id.', correlationId };
}

function usageOf({ journal }: TurnContext): TurnOutcome['usage'] {
  const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  for (const step of journal.steps) {
    if (step.kind !== 'model') continue;
    usage.promptTokens += step.inputTokens ?? 0;
    usage.completionTokens += step.outputTokens ?? 0;
    usage.cachedTokens += step.cachedTokens ?? 0;
  }
  return usage;
}
