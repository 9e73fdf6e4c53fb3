import type { ClientCall } from '@skillgate/contracts/turn-stream';
import type { TurnContext } from './turn-context.js';
import type { TakenTurn } from './takeover-store.js';

/** How far the earlier attempts of a turn came. */
export interface Done {
  /** Model answers that are not asked for again. */
  rounds: number;
  calls: number;
  /** Calls that the client was given: the turn ends with them. */
  handed?: readonly ClientCall[];
}

/** What a turn that begins anew has behind it: nothing. */
export const nothingDone: Done = { rounds: 0, calls: 0 };

/**
 * Says again what the finished rounds had said, since a reader drops all that lower attempts said; their calls are not made
 * and their answers not asked for again.
 */
export function retell({ publisher, journal, artifacts }: TurnContext, { firstItem, round }: TakenTurn): Done {
  const own = journal.history.slice(firstItem).filter((item) => item.kind === 'assistant');
  const rounds = own.filter(({ calls, from }) => calls.length > 0 && from !== 'client');
  for (const { text } of rounds) {
    publisher.delta(text);
    publisher.paragraph();
  }
  for (const artifact of artifacts) publisher.artifact(artifact);
  if (round) publisher.delta(round.text);
  const calls = rounds.reduce((sum, { calls: each }) => sum + each.length, 0);
  return { rounds: rounds.length + (round ? 1 : 0), calls };
}

