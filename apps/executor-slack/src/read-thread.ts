import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDestination } from './find-channel.js';
import { openSlack } from './open-slack.js';
import { messageTs, pageInput, pageMessages, placeInput } from './page-messages.js';
import { shownMessage, showMessages } from './show-messages.js';
import { readMessageLink } from './slack-link.js';

export const readThread = defineTool({
  name: 'slack_read_thread',
  profile: 'slack',
  effect: 'read',
  description:
    'Reads one Slack thread from its first message on, oldest first, page by page with next_cursor until it is null. Name it by ' +
    '"link", or by "channel" and the "ts" of its first message. Use it whenever a message has "replies": the last word decides. Not ' +
    'for the other messages of the channel (use slack_read_channel).',
  input: z.strictObject({
    link: z
      .string()
      .max(300)
      .optional()
      .describe('Link to any message of the thread, as "Copy link" gives it. Then "channel" and "ts" are left out.'),
    channel: placeInput.optional(),
    ts: messageTs.optional().describe('"ts" (or "thread") of its first message, such as "1508284197.000015".'),
    ...pageInput,
  }),
  output: z.object({
    channel: z.object({ id: z.string(), name: z.string() }),
    messages: z.array(shownMessage),
    next_cursor: z.string().nullable(),
  }),
  timeoutMs: 90_000,
  async execute({ link, channel, ts, cursor, limit }, context) {
    const named = link ? readMessageLink(link) : undefined;
    const [where, first] = named ? [named.channel, named.thread ?? named.ts] : [channel, ts];
    if (!where || !first)
      throw refuse(
        'slack-which-thread',
        'Name the thread: by "link" to one of its messages, or by "channel" and "ts" of its first message.',
      );
    const slack = await openSlack(context);
    const place = await findDestination(slack, where);
    const { messages, next } = await pageMessages(slack, 'conversations.replies', { channel: place.id, ts: first }, limit, cursor);
    const unread = cursor ? messages.filter((message) => message.ts !== first) : messages; // Slack begins every page with the first message
    return {
      channel: { id: place.id, name: place.called },
      messages: await showMessages(slack, () => place.id, unread),
      next_cursor: next,
    };
  },
});
