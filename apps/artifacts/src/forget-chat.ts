import { removeExpired } from './sweep-unfinished.js';
import type { Room } from './room.js';

/**
 * Removes the files that were made in a chat: out of reach first, then their bytes, then their rows, so that what broke off is taken up again
 * with the event's next delivery. What the user uploaded belongs to no chat and stays.
 *
 * @returns how many this call removed
 */
export async function forgetChat(room: Room, { account, chat }: { account: string; chat: string }): Promise<number> {
  let removed = 0;
  for (const id of await room.store.expireChat(account, chat)) {
    if (await removeExpired(room, account, id)) removed += 1;
  }
  room.log.info({ chat, removed }, 'the files of a deleted chat were removed');
  return removed;
}
