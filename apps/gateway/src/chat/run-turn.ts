import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { TurnPlace } from '@skillgate/wire/read-turn';
import { followTurn } from './follow-turn.js';
import type { Listening } from './listen-turn.js';
import { askJournal, recallTurn, type TurnHouse } from './turn-house.js';
import type { TurnEvent } from './turn-reader.js';

export interface RunOptions {
  /** Where a client that comes back stands; absent when it was there from the start. */
  from?: TurnPlace | null;
  /** Milliseconds in which the client may come back before its turn is cancelled. */
  graceMs: number;
}

/** Everything that a turn shows to a client that listens. Who stops reading before its end leaves the turn. */
export async function* runTurn(
  house: TurnHouse,
  principal: Principal,
  { turn, queue, attendance, close }: Listening,
  { from, graceMs }: RunOptions,
): AsyncGenerator<TurnEvent, void, undefined> {
  const { wire, config, log } = house;
  let ended = false;
  try {
    const events = followTurn({
      queue,
      from,
      recall: (after) => recallTurn(house, turn, after),
      ask: () => askJournal(house, principal, turn),
      onJournalError: (error) => log.warn({ err: error, turn }, 'the journal could not be read; it is asked again'),
      connectedSince: () => wire.status().since,
      silenceMs: config.SKILLGATE_STREAM_SILENCE_MS,
      lostMs: config.SKILLGATE_STREAM_LOST_MS,
      limitMs: config.SKILLGATE_TURN_LIMIT_MS,
    });
    for await (const event of events) {
      if (event.type === 'ended' || event.type === 'waiting') ended = true; // one that waits has nothing to cancel it for
      yield event;
    }
  } finally {
    close();
    if (ended) attendance.end();
    else attendance.leave(graceMs);
  }
}
