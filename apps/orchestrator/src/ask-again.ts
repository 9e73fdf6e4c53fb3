import { isUnavailable } from '@skillgate/contracts/refusal';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the tries: the restart of a service, its database or the broker fits in, and nobody waits much longer for a no. */
const pausesMs = [250, 500, 1_000, 2_000];

/** Asks a service of the house again while it is away. For questions alone: a second asking must change nothing. */
export async function askAgain<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      await pause(ms, undefined, { signal });
    }
  }
  return ask();
}
