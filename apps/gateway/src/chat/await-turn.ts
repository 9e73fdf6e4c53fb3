import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { outcomeError } from './outcome-error.js';
import type { TurnEvent } from './turn-reader.js';

/** The outcome of a finished turn; null when the client left. Throws what the turn failed with. */
export async function awaitTurn(events: AsyncIterable<TurnEvent>): Promise<TurnOutcome | null> {
  for await (const event of events) {
    if (event.type !== 'ended') continue;
    const failure = outcomeError(event.outcome);
    if (failure) throw failure;
    return event.outcome;
  }
  return null;
}
