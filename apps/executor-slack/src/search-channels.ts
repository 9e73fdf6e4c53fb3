import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { channelListing } from './find-channel.js';
import { plainName } from './names.js';
import { openSlack } from './open-slack.js';
import type { SlackChannel } from './slack-answers.js';
import { walkPages } from './walk-pages.js';

export const searchInput = {
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('"next_cursor" of the answer before, to look further. Leave out for the beginning.'),
  limit: z.number().int().min(1).max(50).default(20).describe('Most matches of one answer.'),
};

/** How well something with these names and words fits: 3 the very name, 2 part of a name, 1 every word somewhere, 0 not at all. */
export function fit(query: string, names: readonly string[], words: readonly (string | undefined)[]): number {
  const wanted = plainName(query);
  if (names.includes(wanted)) return 3;
  if (names.some((name) => name.includes(wanted))) return 2;
  const all = [...names, ...words.map((each) => plainName(each ?? ''))].join(' ');
  return wanted.split(/[\s_-]+/).every((word) => all.includes(word)) ? 1 : 0;
}

export const searchChannels = defineTool({
  name: 'slack_search_channels',
  profile: 'slack',
  effect: 'read',
  description:
    'Finds Slack channels by name, topic or purpose, public ones and the private ones that the user is in; no archived ones. Use it ' +
    'when the user names a channel loosely ("the design people"). When next_cursor is not null, the list was not read to its end: ' +
    'call again with it before you say that there is none. Not for messages (use slack_search_messages) or people (use ' +
    'slack_search_users).',
  input: z.strictObject({ query: z.string().min(1).max(100).describe('Part of the name, or words of topic and purpose.'), ...searchInput }),
  output: z.object({
    channels: z.array(
      z.object({
        ...{ id: z.string(), name: z.string(), private: z.boolean(), member: z.boolean(), shared_with_other_companies: z.boolean() },
        ...{ people: z.number().int().optional(), topic: z.string().optional(), purpose: z.string().optional() },
      }),
    ),
    looked_at: z.number().int(),
    next_cursor: z.string().nullable(),
    notes: z.array(z.string()),
  }),
  timeoutMs: 90_000,
  async execute({ query, cursor = '', limit }, context) {
    const slack = await openSlack(context);
    const rank = ({ name = '', topic, purpose }: SlackChannel) => fit(query, [plainName(name)], [topic?.value, purpose?.value]);
    const { items, next, cut } = await walkPages(slack, channelListing, cursor, {
      fits: (channel) => rank(channel) > 0,
      isIt: (channel) => rank(channel) === 3,
    });
    const found = items
      .map((channel) => ({ channel, rank: rank(channel) }))
      .filter((each) => each.rank > 0)
      .sort((one, other) => other.rank - one.rank);
    const notes = [
      ...(found.length > limit ? [`${found.length - limit} more match and are not shown. Use more of the name.`] : []),
      ...(cut ? [`Not the whole list was read: ${cut}.`] : []),
    ];
    return { channels: found.slice(0, limit).map(({ channel }) => shown(channel)), looked_at: items.length, next_cursor: next, notes };
  },
});

const shown = ({
  id = '',
  name = '',
  is_private,
  is_member,
  is_ext_shared,
  is_pending_ext_shared,
  num_members,
  topic,
  purpose,
}: SlackChannel) => ({
  ...{ id, name: `#${name}`, private: Boolean(is_private), member: Boolean(is_member) },
  shared_with_other_companies: Boolean(is_ext_shared || is_pending_ext_shared),
  ...(num_members !== undefined && { people: num_members }),
  ...(topic?.value && { topic: topic.value }),
  ...(purpose?.value && { purpose: purpose.value }),
});
