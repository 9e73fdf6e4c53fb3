import type { Waiting } from '@skillgate/contracts/approval';
import { isRefusal, unavailable } from '@skillgate/contracts/refusal';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { TurnPlace } from '@skillgate/wire/read-turn';
import { eventIdOf, nothingYet } from './event-id.js';
import type { TurnQueue } from './turn-queue.js';
import { TurnReader, type TurnEvent } from './turn-reader.js';

export interface JournalEntry {
  status: 'running' | 'finished' | 'failed' | 'cancelled';
  outcome: TurnOutcome | null;
  /** Of a turn that waits for its user. */
  waiting?: Waiting;
}

export interface FollowOptions {
  queue: TurnQueue;
  /** Where a client that comes back stands, null at the beginning; absent when it was there from the start. */
  from?: TurnPlace | null;
  /** Reads what the stream still has behind a place, or all of it; null when it cannot be read. */
  recall: (after?: TurnPlace) => Promise<TurnMessage[] | null>;
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
 * Everything that a turn shows, up to its outcome or until it waits for its user: exactly one `ended` or `waiting` comes last, unless
 * the queue is closed.
 * Never waits for ever: for what the subscription lost the stream is asked once, then the journal; when both are
 * silent, it throws `turn-lost`, after `limitMs` `turn-too-long`.
 */
export async function* followTurn(options: FollowOptions): AsyncGenerator<TurnEvent, void, undefined> {
  for await (const events of readings(options)) {
    yield* events;
    if (hasEnded(events)) return;
  }
}

async function* readings(options: FollowOptions): AsyncGenerator<readonly TurnEvent[], void, undefined> {
  const { queue, from, recall, connectedSince } = options;
  const reader = new TurnReader();
  const started = Date.now();
  let heard = started;
  let connection = connectedSince();
  let dropped = 0;

  const fill = async (): Promise<TurnEvent[]> => {
    dropped = queue.dropped;
    return reader.fill((await recall(reader.place)) ?? []);
  };
  const askTheJournal = async (): Promise<TurnEvent[]> => {
    const entry = await askJournal(options);
    if (entry) heard = Date.now();
    if (entry?.outcome) return reader.finish(entry.outcome);
    return entry && waits(entry) ? reader.wait(entry.waiting) : [];
  };

  if (from === undefined) yield [{ type: 'begun', id: eventIdOf(nothingYet) }];
  else {
    const stored = await recall();
    yield reader.resume(from, stored, false);
    if (!stored || reader.holed) yield await askTheJournal();
  }

  while (true) {
    // Of what was dropped last no later message tells.
    if (queue.size === 0 && queue.dropped > dropped) yield await fill();
    const taken = await queue.take(options.silenceMs);
    if (taken === 'closed') return;
    const now = Date.now();
    const reconnected = connectedSince() !== connection;
    connection = connectedSince();
    let doubtful = taken === 'silent' || reconnected;
    if (taken !== 'silent') heard = now;
    if (reconnected || (taken !== 'silent' && reader.misses(taken))) yield await fill();
    if (taken !== 'silent') {
      doubtful ||= reader.misses(taken);
      yield reader.read(taken);
    }
    if (doubtful) yield await askTheJournal();
    if (now - heard > options.lostMs)
      throw unavailable('turn-lost', 'The turn could not be followed to its end. Ask GET /api/v1/turns/<id> for its outcome.');
    if (now - started > options.limitMs) throw unavailable('turn-too-long', 'The turn took longer than a turn may take and was given up.');
  }
}

/** Everything that an ended turn, or one that waits, shows to a client that got as far as `from`. */
export async function retellTurn(
  { recall }: Pick<FollowOptions, 'recall'>,
  from: TurnPlace | null,
  last: { outcome: TurnOutcome } | { waiting: Waiting },
): Promise<TurnEvent[]> {
  const reader = new TurnReader();
  const events = reader.resume(from, await recall(), 'outcome' in last);
  if (hasEnded(events)) return events;
  return [...events, ...('outcome' in last ? reader.finish(last.outcome) : reader.wait(last.waiting))];
}

const hasEnded = (events: readonly TurnEvent[]): boolean => ['ended', 'waiting'].includes(events.at(-1)?.type ?? '');

/** Not one whose user has decided on all of it: somebody is about to go on with that. */
export const waits = (entry: { waiting?: Waiting }): entry is { waiting: Waiting } => (entry.waiting?.approvals.length ?? 0) > 0;

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
