import { HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { TurnContext } from './turn-context.js';

/** Breaches that say what to do with what was sent. */
const readable: ReadonlySet<string> = new Set(['message-too-large', 'reply-too-large']);

/**
 * Why something did not work, in words that a model may read. Once the turn was stopped, that is the reason, whatever broke in
 * consequence. Other breaches and defects are a programmer's matter: they stay in the log.
 */
export function explainFailure({ signal, log }: Pick<TurnContext, 'signal' | 'log'>, error: unknown): HouseError {
  const cause: unknown = signal.aborted ? signal.reason : error;
  if (isHouseError(cause) && (cause.kind === 'refusal' || cause.kind === 'unavailable' || readable.has(cause.slug))) return cause;
  log.error({ err: cause }, 'a call of a turn failed inside the platform');
  const { kind, slug } = isHouseError(cause) ? cause : ({ kind: 'defect', slug: 'internal' } as const);
  return new HouseError({ kind, slug, message: 'The platform failed to make this call.' }, { cause });
}
