import { isHouseError, refuse } from '@skillgate/contracts/refusal';
import type { SlackAnswer, SlackChannel, SlackUser } from './slack-answers.js';
import type { Slack } from './open-slack.js';
import type { Page } from './slack-memory.js';

/** Pages that one call asks Slack for; those that are remembered are free. Slack allows some 20 such requests a minute. */
const newPages = 15;
/** Entries of one page; Slack takes less than 1000. */
const pageSize = 900;

/** A list of the workspace that is read page by page. */
export interface Listing<T extends SlackChannel | SlackUser> {
  method: string;
  args: Record<string, unknown>;
  itemsOf(answer: never): readonly T[];
}

export interface Walk<T> {
  items: T[];
  /** Where to go on; null at the true end of the list. */
  next: string | null;
  /** Why it stopped before its end without having found enough. */
  cut?: string;
}

/**
 * Follows the cursors of a list to their end: a page may be short or empty while there are more.
 *
 * @param from a cursor of an earlier walk; empty for the beginning
 * @param enough looks at each page; true ends the walk
 */
export async function walkPages<T extends SlackChannel | SlackUser>(slack: Slack, listing: Listing<T>, from: string, enough: (items: readonly T[]) => boolean): Promise<Walk<T>> {
  const items: T[] = [];
  const been = new Set<string>();
  let [cursor, asked] = [from, 0];
  for (;;) {
    const key = `${slack.mark()}/${listing.method}/${cursor}`;
    let page = slack.memory.pages.get(key) as Page<T> | undefined;
    if (!page) {
      if (asked >= newPages) return { items, next: cursor, cut: `the list is long: ${asked} pages were asked for and more are left` };
      try {
        page = await pageAt(slack, listing, cursor);
      } catch (error) {
        // What was seen so far is worth more than a wait that nobody sits through.
        if (!isHouseError(error) || error.slug !== 'slack-rate-limited' || been.size === 0) throw error;
        return { items, next: cursor, cut: error.message };
      }
      asked += 1;
      slack.memory.pages.set(key, page);
    }
    been.add(cursor);
    items.push(...page.items);
    if (page.next === '') return { items, next: null };
    if (been.has(page.next)) throw refuse('slack-list-in-circles', 'Slack sends the list in circles. Ask the user for the exact name, or for a link.');
    cursor = page.next;
    if (enough(page.items)) return { items, next: cursor };
  }
}

async function pageAt<T extends SlackChannel | SlackUser>(slack: Slack, { method, args, itemsOf }: Listing<T>, cursor: string): Promise<Page<T>> {
  const answer = await slack.read<SlackAnswer>(method, { ...args, limit: pageSize, ...(cursor && { cursor }) });
  return { items: itemsOf(answer as never), next: answer.response_metadata?.next_cursor ?? '' };
}
