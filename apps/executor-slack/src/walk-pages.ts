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

/** What a walk looks for. */
export interface Quest<T> {
  /** Is this one of those that are looked for? */
  fits(item: T): boolean;
  /** Is this the one, so that the walk ends? Absent: it goes to the end of the list. */
  isIt?(item: T): boolean;
}

/**
 * Follows the cursors of a list to their end: a page may be short or empty while there are more. What is not found in pages that
 * are remembered is looked for once more in new ones, since it may be younger than they are.
 *
 * @param from a cursor of an earlier walk; empty for the beginning
 */
export async function walkPages<T extends SlackChannel | SlackUser>(
  slack: Slack,
  listing: Listing<T>,
  from: string,
  quest: Quest<T>,
): Promise<Walk<T>> {
  const walk = await follow(slack, listing, from, quest);
  if (!walk.remembered || walk.next !== null || walk.items.some(quest.fits)) return walk;
  const prefix = `${slack.mark()}/${listing.method}/`;
  for (const key of slack.memory.pages.keys()) if (key.startsWith(prefix)) slack.memory.pages.delete(key);
  return follow(slack, listing, from, quest);
}

interface Followed<T> extends Walk<T> {
  /** Slack was asked for none of its pages. */
  remembered: boolean;
}

async function follow<T extends SlackChannel | SlackUser>(
  slack: Slack,
  listing: Listing<T>,
  from: string,
  { isIt }: Quest<T>,
): Promise<Followed<T>> {
  const items: T[] = [];
  const been = new Set<string>();
  let [cursor, asked] = [from, 0];
  for (;;) {
    const key = `${slack.mark()}/${listing.method}/${cursor}`;
    let page = slack.memory.pages.get(key) as Page<T> | undefined;
    if (!page) {
      if (asked >= newPages)
        return { items, next: cursor, remembered: false, cut: `the list is long: ${asked} pages were asked for and more are left` };
      try {
        page = await pageAt(slack, listing, cursor);
      } catch (error) {
        // What was seen so far is worth more than a wait that nobody sits through.
        if (!isHouseError(error) || error.slug !== 'slack-rate-limited' || been.size === 0) throw error;
        return { items, next: cursor, remembered: false, cut: error.message };
      }
      asked += 1;
      slack.memory.pages.set(key, page);
    }
    been.add(cursor);
    items.push(...page.items);
    if (page.next === '') return { items, next: null, remembered: asked === 0 };
    if (been.has(page.next))
      throw refuse('slack-list-in-circles', 'Slack sends the list in circles. Ask the user for the exact name, or for a link.');
    cursor = page.next;
    if (isIt && page.items.some(isIt)) return { items, next: cursor, remembered: asked === 0 };
  }
}

async function pageAt<T extends SlackChannel | SlackUser>(
  slack: Slack,
  { method, args, itemsOf }: Listing<T>,
  cursor: string,
): Promise<Page<T>> {
  const answer = await slack.read<SlackAnswer>(method, { ...args, limit: pageSize, ...(cursor && { cursor }) });
  return { items: itemsOf(answer as never), next: answer.response_metadata?.next_cursor ?? '' };
}
