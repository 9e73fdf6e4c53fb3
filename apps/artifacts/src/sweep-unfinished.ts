import { pieceCount, pieceName, unfinishedMs } from './artifact.js';
import type { Room } from './room.js';

/**
 * Removes uploads that nobody finished within an hour. An artifact is first taken out of reach, so that nobody finishes
 * what is being deleted; the row goes last, so that a sweep that broke off is taken up by the next.
 *
 * @returns how many this call removed
 */
export async function sweepUnfinished(room: Room, now = Date.now()): Promise<number> {
  const { store, log } = room;
  let removed = 0;
  for (const { account, id } of await store.unfinished(new Date(now - unfinishedMs))) {
    await store.move(account, id, 'open', 'expired');
    if (!(await removeExpired(room, account, id))) continue; // another replica was faster
    removed += 1;
    log.warn({ artifact: id, account }, 'a file that was not finished within an hour, or whose removal broke off, was removed');
  }
  return removed;
}

/** The bytes and then the row of an artifact that is out of reach. @returns whether it was this call that removed it */
export async function removeExpired({ store, bucket }: Room, account: string, id: string): Promise<boolean> {
  const bytes = await store.bytesOf(account, id);
  for (let index = 0; index < pieceCount(bytes); index++) await bucket.delete(pieceName({ account, id }, index));
  return store.deleteExpired(account, id);
}
