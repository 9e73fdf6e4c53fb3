import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { TurnPlace } from '@skillgate/wire/read-turn';
import { retellTurn, waits } from './follow-turn.js';
import { listenTurn } from './listen-turn.js';
import { runTurn } from './run-turn.js';
import { askJournal, recallTurn, type TurnHouse } from './turn-house.js';
import type { TurnEvent } from './turn-reader.js';

export interface ResumedTurn {
  chat: string;
  model: string;
  events: AsyncIterable<TurnEvent>;
  /** Stops listening; to be called in any case. */
  close(): void;
}

/**
 * What follows in a turn after `from`, or all of it: live while it runs, wherever it was begun; else from the stream and,
 * when that forgot it, from the journal. Refusal: `unknown-turn`, which another account's is too.
 */
export async function resumeTurn(house: TurnHouse, principal: Principal, turn: string, from: TurnPlace | null): Promise<ResumedTurn> {
  const entry = await askJournal(house, principal, turn);
  const { chat, model = 'default', outcome } = entry;
  const last = outcome ? { outcome } : waits(entry) ? { waiting: entry.waiting } : null;
  if (last) {
    const recall = () => recallTurn(house, turn);
    const retell = async function* () {
      yield* await retellTurn({ recall }, from, last);
    };
    return { chat, model, events: retell(), close: () => undefined };
  }
  const listening = listenTurn(house, principal, turn, false);
  try {
    await listening.ready; // before the stream is read: what is said in between is in one of the two
  } catch (error) {
    listening.close();
    listening.attendance.end();
    throw error;
  }
  const graceMs = house.config.SKILLGATE_CANCEL_GRACE_MS;
  return { chat, model, events: runTurn(house, principal, listening, { from, graceMs }), close: listening.close };
}
