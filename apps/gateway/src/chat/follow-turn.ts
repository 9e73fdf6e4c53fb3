import { isRefusal, unavailable } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { TurnQueue } from './turn-queue.js';
import { TurnReader, type TurnEvent } from './turn-reader.js';

export interface JournalEntry {
  status: 'running' | 'finished' | 'failed' | 'cancelled';
  outcome: TurnOutcome | null;
}

export interface FollowOptions {
  queue: TurnQueue;
  /** Reads the journal. */
  ask: () => Promise<JournalEntry>;
  /** Hears why the journal could not be read; the next silence asks again. */
  onJournalError: (error: unknown) => void;
  /** Grows with each reconnection of the wire; messages may have been lost in between. */
  connectedSince: () => number;
  /** Milliseconds without a message after which the journal is asked. */
  silenceMs: number;
  /** Milliseconds without a word from stream or journal after which the turn is given up. */
  lostMs: number;
  /** Milliseconds that a turn may take in all. */
  limitMs: number;
}

/**
 * Everything that a turn shows, up to its outcome: exactly one `ended` comes last, unless the queue is closed.
 * Never waits for ever: whatever the stream loses, the journal is asked; when both are silent, it throws
 * `turn-lost`, after `limitMs` `turn-too-long`.
 */
export async function* followTurn(options: FollowOptions): AsyncGenerator<TurnEvent, void, undefined> {
  const { queue, connectedSince } = options;
  const reader = new TurnReader();
  const started = Date.now();
  let heard = started;
  let connection = connectedSince();

  while (true) {
    const taken = await queue.take(options.silenceMs);
    if (taken === 'closed') return;
    const now = Date.now();
    let doubtful = taken === 'silent' || connectedSince() !== connection;
    connection = connectedSince();
    if (taken !== 'silent') {
      heard = now;
      const { events, gap } = reader.read(taken);
      yield* events;
      if (events.at(-1)?.type === 'ended') return;
      doubtful ||= gap;
    }
    if (doubtful) {
      const entry = await askJournal(options);
      if (entry) heard = Date.now();
      if (entry?.outcome) {
        yield* reader.finish(entry.outcome);
        return;
      }
    }
    if (now - heard > options.lostMs)
      throw unavailable('turn-lost', 'The turn could not be followed to its end. Ask GET /api/v1/turns/<id> for its outcome.');
    if (now - started > options.limitMs) throw unavailable('turn-too-long', 'The turn took longer than a turn may take and was given up.');
  }
}

/** The journal's word, or null while it cannot be reached. A turn that it does not know is an error. */
async function askJournal({ ask, onJournalError }: FollowOptions): Promise<JournalEntry | null> {
  try {
    return await ask();
  } catch (error) {
    if (isRefusal(error, 'unknown-turn')) throw error;
    onJournalError(error);
    return null;
  }
}
