import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDestination } from './find-channel.js';
import { openSlack } from './open-slack.js';
import { pageInput, pageMessages, placeInput } from './page-messages.js';
import { shownMessage, showMessages } from './show-messages.js';

const moment = z.iso.datetime({ offset: true });
const seconds = (iso: string): string => String(Date.parse(iso) / 1000);

export const readChannel = defineTool({
  name: 'slack_read_channel',
  profile: 'slack',
  effect: 'read',
  description:
    'Reads the messages of one Slack channel or of direct messages, newest first, page by page. Use it to catch up or before you ' +
    'reply. Read on with next_cursor until it is null: a short page is not the last one. A message with "replies" has a thread: read ' +
    'it with slack_read_thread. Not for finding a word (use slack_search_messages), and not for watching a channel over time.',
  input: z.strictObject({
    channel: placeInput,
    since: moment.optional().describe('Only messages after this time, ISO 8601 with zone, such as "2026-03-01T00:00:00+01:00".'),
    until: moment.optional().describe('Only messages before this time, ISO 8601 with zone.'),
    ...pageInput,
  }),
  output: z.object({
    channel: z.object({ id: z.string(), name: z.string(), shared_with_other_companies: z.boolean() }),
    messages: z.array(shownMessage),
    next_cursor: z.string().nullable(),
  }),
  timeoutMs: 90_000,
  async execute({ channel, since, until, cursor, limit }, context) {
    const slack = await openSlack(context);
    const place = await findDestination(slack, channel);
    const span = { ...(since && { oldest: seconds(since) }), ...(until && { latest: seconds(until) }) };
    const { messages, next } = await pageMessages(slack, 'conversations.history', { channel: place.id, ...span }, limit, cursor);
    return {
      channel: { id: place.id, name: place.called, shared_with_other_companies: Boolean(place.is_ext_shared) },
      messages: await showMessages(slack, () => place.id, messages),
      next_cursor: next,
    };
  },
});
