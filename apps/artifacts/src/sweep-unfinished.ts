import { pieceCount, pieceName, unfinishedMs } from './artifact.js';
import type { Room } from './room.js';

/**
 * Removes uploads that nobody finished within an hour. An artifact is first taken out of reach, so that nobody finishes
 * what is being deleted; the row goes last, so that a sweep that broke off is taken up by the next.
 *
 * @returns how many this call removed
 */
export async function sweepUnfinished({ store, bucket, log }: Room, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const { account, id } of await store.unfinished(new Date(now - unfinishedMs))) {
    await store.move(account, id, 'open', 'expired');
    const bytes = await store.bytesOf(account, id);
    for (let index = 0; index < pieceCount(bytes); index++) await bucket.delete(pieceName({ account, id }, index));
    if (!(await store.deleteExpired(account, id))) continue; // another replica was faster
    removed += 1;
    log.warn({ artifact: id, account, bytes }, 'an upload that was not finished within an hour was removed');
  }
  return removed;
}
