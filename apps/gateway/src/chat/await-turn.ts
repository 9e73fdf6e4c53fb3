import type { Waiting } from '@skillgate/contracts/approval';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { outcomeError } from './outcome-error.js';
import type { TurnEvent } from './turn-reader.js';
import { waitingText } from './waiting-text.js';

export interface AwaitedTurn {
  outcome: Pick<TurnOutcome, 'answer' | 'finishReason' | 'usage' | 'artifacts' | 'calls'>;
  /** Absent when the turn has ended. */
  waiting?: Waiting;
}

/** How a turn finished or what it waits for; null when the client left. Throws what the turn failed with. */
export async function awaitTurn(events: AsyncIterable<TurnEvent>): Promise<AwaitedTurn | null> {
  const artifacts: TurnOutcome['artifacts'] = [];
  for await (const event of events) {
    if (event.type === 'artifact') artifacts.push(event.artifact);
    if (event.type === 'waiting') {
      const { waiting } = event;
      const answer = [waiting.answer, waitingText(waiting)].filter(Boolean).join('\n\n');
      return { outcome: { answer, finishReason: 'stop', usage: waiting.usage, artifacts }, waiting };
    }
    if (event.type !== 'ended') continue;
    const failure = outcomeError(event.outcome);
    if (failure) throw failure;
    return { outcome: event.outcome };
  }
  return null;
}
