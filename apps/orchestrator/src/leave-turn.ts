import { isHouseError, unavailable } from '@skillgate/contracts/refusal';

const leaving: ReadonlySet<string> = new Set(['turn-not-held', 'turn-handed-over']);

/** Another instance has taken the turn over. */
export const notHeld = (): Error => unavailable('turn-not-held', 'This turn was taken over by another instance.');

/** This instance is being replaced and gives the turn away. */
export const handedOver = (): Error => unavailable('turn-handed-over', 'This instance is being replaced; another goes on with the turn.');

/** Does the turn go on elsewhere? Then nothing more is written to it, said in it or stopped for it from here. */
export const isLeft = (error: unknown): boolean => isHouseError(error) && leaving.has(error.slug);

/** @throws the reason of a signal that says that the turn goes on elsewhere; other reasons pass */
export function throwIfLeft({ aborted, reason }: AbortSignal): void {
  if (aborted && isLeft(reason)) throw reason;
}

/** Fires with the turn's signal unless the turn goes on elsewhere: what executors work on is the successor's then. */
export function stopsCalls(turn: AbortSignal): AbortSignal {
  const calls = new AbortController();
  const stop = () => {
    if (!isLeft(turn.reason)) calls.abort(turn.reason);
  };
  if (turn.aborted) stop();
  else turn.addEventListener('abort', stop, { once: true });
  return calls.signal;
}

/** Waits for `work` no longer than the turn is this instance's. @throws the signal's reason when the turn was left */
export async function whileHeld<T>(turn: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined); // nobody hears it after the turn was left
  let listener: (() => void) | undefined;
  const left = new Promise<never>((_, reject) => {
    listener = () => {
      if (isLeft(turn.reason)) reject(turn.reason as Error);
    };
    if (turn.aborted) listener();
    else turn.addEventListener('abort', listener, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    if (listener) turn.removeEventListener('abort', listener);
  }
}
