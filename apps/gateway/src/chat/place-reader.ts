import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import type { TurnPlace } from '@skillgate/wire/read-turn';

/** What a client has of the attempt at which it stands. */
export interface ReaderPlace {
  text: string;
  /** False: it has more than can be told, or something else. */
  known: boolean;
  /** Text of a lower attempt was on its screen, and nothing of this one yet. */
  restarting: boolean;
}

/**
 * Where a client goes on that got as far as `from`; null when it cannot: then it reads from the beginning.
 *
 * @param stored everything that the stream has of the turn, in order: it forgets, so it may be a part or nothing
 * @param over the journal has the turn's outcome
 */
export function placeReader(from: TurnPlace, stored: readonly TurnMessage[], over: boolean): ReaderPlace | null {
  const nothing = { text: '', known: true, restarting: false };
  if (from.attempt === 0) return from.n === 0 ? nothing : null;
  if (from.n === Infinity) return over || stored.at(-1)?.body.type === 'ended' ? nothing : null; // nobody has all of a turn that runs
  const highest = stored.at(-1)?.attempt;
  // The stream was lost, and cannot contradict. What a running turn says from now on fits; what it said does not.
  if (highest === undefined) return over ? null : { ...nothing, known: false };
  if (from.attempt > highest) return null;

  const own = stored.filter(({ attempt }) => attempt === from.attempt);
  const before = own.filter(({ n }) => n <= from.n);
  const text = textOf(before);
  const known = before.length === from.n + 1;
  if (from.attempt < highest) return { text, known, restarting: false }; // the next attempt begins anew in any case
  const [first, last] = [own[0]!.n, own.at(-1)!.n];
  if (last < from.n || first > from.n + 1) return null;
  const lower = stored.filter(({ attempt }) => attempt < from.attempt);
  return { text, known, restarting: text === '' && textOf(lower) !== '' };
}

const textOf = (messages: readonly TurnMessage[]): string =>
  messages.map(({ body }) => (body.type === 'delta' ? body.text : '')).join('');
