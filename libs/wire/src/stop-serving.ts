import { unavailable } from '@skillgate/contracts/refusal';
import type { Hearing } from './connection.js';
import { lastWordMs, type WireParts } from './serve-subject.js';

/** See `Wire.stopServing`. @returns the number of calls that had to be aborted */
export async function stopServing({ connection, running }: WireParts, served: Iterable<Hearing>, timeoutMs: number): Promise<number> {
  const end = Date.now() + timeoutMs;
  const left = () => Math.max(end - Date.now(), 0);
  await within(Promise.all([...served].map((hearing) => hearing.drain())), left());
  const lastWords = lastWordMs * 2; // one for the handlers, one for the answers in their place
  await running.idle(Math.max(left() - lastWords, 0));
  const aborted = running.size;
  if (aborted > 0) {
    running.abortAll(unavailable('draining', `"${connection.service}" is stopping. Try again: another instance will answer`));
    await running.idle(lastWords);
  }
  if (connection.connected) await within(connection.nats.flush(), Math.max(left(), lastWordMs));
  return aborted;
}

/** Waits for `work`, but not longer; its failure is no news to somebody who stops anyway. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
