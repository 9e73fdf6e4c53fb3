import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { channelCalled } from './names.js';
import { openSlack } from './open-slack.js';
import { shownMessage, showMessages } from './show-messages.js';
import type { SlackMessage } from './slack-answers.js';

/** Empty pages that are passed over in one call: Slack leaves out of a page what the user may not see. */
const mostRequests = 5;

interface Found {
  messages?: { total?: number; matches?: SlackMessage[]; paging?: { page?: number; pages?: number; total?: number } };
}

export const searchMessages = defineTool({
  name: 'slack_search_messages',
  profile: 'slack',
  effect: 'read',
  description:
    "Finds messages in all of the Slack that the user can see, by words and Slack's own filters: in:#channel, from:@name, with:@name, " +
    'before:2026-03-01, after:2026-02-01, "exact words", -word. Use two or three searches with rare words rather than one with ' +
    'common ones. Read on with next_page until it is null. Not for reading a channel in order (use slack_read_channel), and not for ' +
    'chats of this product.',
  input: z.strictObject({
    query: z.string().min(1).max(500).describe('Words and filters, such as "relaunch date in:#web after:2026-02-01".'),
    newest_first: z.boolean().default(false).describe('True for the newest first, false for the best match first.'),
    page: z.number().int().min(1).max(100).default(1).describe('"next_page" of the answer before, to read on.'),
    limit: z.number().int().min(1).max(50).default(20).describe('Messages of one page. Keep it the same while you read on.'),
  }),
  output: z.object({
    total: z.number().int(),
    messages: z.array(shownMessage.extend({ channel: z.string(), channel_id: z.string() })),
    next_page: z.number().int().nullable(),
  }),
  timeoutMs: 90_000,
  async execute({ query, newest_first, page, limit }, context) {
    const slack = await openSlack(context);
    const order = { sort: newest_first ? 'timestamp' : 'score', sort_dir: 'desc', count: limit };
    for (let at = page, asked = 1; ; at += 1, asked += 1) {
      const { messages: { matches = [], paging, total = 0 } = {} } = await slack.read<Found>('search.messages', {
        query,
        page: at,
        ...order,
      });
      const next = at < Math.min(paging?.pages ?? at, 100) ? at + 1 : null; // Slack has no page after the hundredth
      if (matches.length === 0 && next !== null && asked < mostRequests) continue;
      const shown = await showMessages(slack, ({ channel }) => channel?.id ?? '', matches);
      const placed = shown.map((message, index) => {
        const { channel = {} } = matches[index]!;
        return { ...message, channel: channelCalled(channel), channel_id: channel.id ?? '' };
      });
      return { total: paging?.total ?? total, messages: placed, next_page: next };
    }
  },
});
