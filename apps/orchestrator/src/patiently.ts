import { isUnavailable } from '@skillgate/contracts/refusal';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the tries of a commit: a restart of the database fits in, with its recovery. */
const pausesMs = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** Tries again while the database is away. The work must bear being done twice: a commit whose answer was lost has happened. */
export async function patiently<T>(work: () => Promise<T>, pauses: readonly number[] = pausesMs): Promise<T> {
  for (const ms of pauses) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await pause(ms);
    }
  }
  return work();
}
