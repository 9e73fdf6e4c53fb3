import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SlackChannel, SlackUser } from './slack-answers.js';

/** Names change seldom, and a new channel should be found while people still talk of it. */
const freshMs = 10 * 60_000;

/** One page of a list, as Slack gave it and no larger than what is shown of it. */
export interface Page<T> {
  items: readonly T[];
  /** Empty at the end. */
  next: string;
}

/** Who the token speaks for, and where. */
export interface Self {
  user: string;
  team: string;
  /** Address of the workspace, with a slash at its end. */
  url: string;
}

/**
 * What this instance knows of what each token may see: pages of lists, people, and until when Slack wants no more of it.
 * Keyed by a hash of the token, so that nothing that one account sees is shown to another, and tokens are not kept.
 */
export class SlackMemory {
  /** 200 000 entries are some 50 MB. */
  readonly pages = new LRUCache<string, Page<SlackChannel | SlackUser>>({
    maxSize: 200_000,
    sizeCalculation: ({ items }) => items.length + 1,
    ttl: freshMs,
  });
  readonly people = new LRUCache<string, SlackUser>({ max: 20_000, ttl: freshMs });
  readonly selves = new LRUCache<string, Self>({ max: 5_000, ttl: freshMs });
  /** Milliseconds since the epoch, by token and method. */
  readonly blockedUntil = new LRUCache<string, number>({ max: 20_000 });
}

export const markOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
