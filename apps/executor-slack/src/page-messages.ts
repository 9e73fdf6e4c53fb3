import { z } from 'zod';
import type { Slack } from './open-slack.js';
import type { SlackMessage, SlackMessages } from './slack-answers.js';

/** Requests for one answer: Slack's pages may be short or empty while a cursor is left. */
const mostRequests = 10;

export const pageInput = {
  cursor: z.string().min(1).max(500).optional().describe('"next_cursor" of the answer before, to read on. Leave out for the beginning.'),
  limit: z.number().int().min(1).max(100).default(50).describe('Most messages of one answer.'),
};

/** A place of messages in arguments. */
export const placeInput = z
  .string()
  .min(1)
  .max(300)
  .describe('Where: a channel as "#name", id or link; or a person as "@name", id or mail address, for direct messages with them.');

/** The id of a message in its channel. */
export const messageTs = z.string().regex(/^\d{10}\.\d{6}$/);

export interface MessagePage {
  messages: SlackMessage[];
  next: string | null;
}

/**
 * Messages of `conversations.history` or `.replies` until there are `limit` of them or the cursor ends.
 *
 * @returns `next`: null only at the true end
 */
export async function pageMessages(
  slack: Slack,
  method: string,
  args: Record<string, unknown>,
  limit: number,
  from = '',
): Promise<MessagePage> {
  const messages: SlackMessage[] = [];
  const seen = new Set<string | undefined>(); // each page of a thread begins with its first message again
  let next = from;
  for (let asked = 0; asked < mostRequests; asked += 1) {
    const answer = await slack.read<SlackMessages>(method, { ...args, limit: limit - messages.length, ...(next && { cursor: next }) });
    for (const message of answer.messages ?? []) {
      if (!seen.has(message.ts)) messages.push(message);
      seen.add(message.ts);
    }
    next = answer.response_metadata?.next_cursor ?? '';
    if (next === '') return { messages, next: null };
    if (messages.length >= limit) break;
  }
  return { messages, next };
}
