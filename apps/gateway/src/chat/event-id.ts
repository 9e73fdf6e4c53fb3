import { refuse } from '@skillgate/contracts/refusal';
import type { TurnPlace } from '@skillgate/wire/read-turn';

/** Has a stream's opening chunk and nothing of the turn: attempts begin at 1. */
export const nothingYet: TurnPlace = { attempt: 0, n: 0 };

/** Has everything that a turn will ever say; `n` is unknown where the journal had the last word. */
export const theEnd = (attempt: number): TurnPlace => ({ attempt: Math.max(1, attempt), n: Infinity });

/** The SSE id of what brings a reader up to `place`: `<attempt>.<n>`, or `<attempt>.end`. */
export const eventIdOf = ({ attempt, n }: TurnPlace): string => `${attempt}.${n === Infinity ? 'end' : n}`;

const shape = /^(\d{1,9})\.(\d{1,9}|end)$/; // nine digits: far beyond any turn, and exact as a number

/**
 * How far a client got, from the id of the last event it received; null when it has none. Refusal: `invalid-event-id`.
 *
 * @param param where the id stands, for the refusal
 */
export function readEventId(id: unknown, param: string): TurnPlace | null {
  if (id === undefined || id === '') return null;
  const [, attempt, n] = (typeof id === 'string' && shape.exec(id.trim())) || [];
  if (attempt !== undefined) return { attempt: Number(attempt), n: n === 'end' ? Infinity : Number(n) };
  const given = JSON.stringify(String(id).slice(0, 40));
  throw refuse(
    'invalid-event-id',
    `${param} is ${given}, which is no id of this stream. ` +
      'Send the last "id:" that you received, such as 1.42, or leave it out to read from the beginning.',
    { param },
  );
}
