import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { peopleListing } from './find-person.js';
import { namesOf } from './names.js';
import { openSlack } from './open-slack.js';
import { fit, searchInput } from './search-channels.js';
import { personOutput, showPerson } from './show-person.js';
import type { SlackUser } from './slack-answers.js';
import { walkPages } from './walk-pages.js';

export const searchUsers = defineTool({
  name: 'slack_search_users',
  profile: 'slack',
  effect: 'read',
  description:
    'Finds people of the Slack workspace by name, handle, mail address or title. Use it before a direct message or a mention; write a ' +
    'mention as <@id>. When several share a name, compare them with slack_read_profile and ask the user. When next_cursor is not ' +
    'null, the list was not read to its end: call again with it. Not for messages that somebody wrote (use slack_search_messages with ' +
    'from:@name).',
  input: z.strictObject({
    query: z.string().min(1).max(100).describe('Part of a name, a mail address, or words of a title.'),
    ...searchInput,
  }),
  output: z.object({
    people: z.array(personOutput),
    looked_at: z.number().int(),
    next_cursor: z.string().nullable(),
    notes: z.array(z.string()),
  }),
  timeoutMs: 90_000,
  async execute({ query, cursor = '', limit }, context) {
    const slack = await openSlack(context);
    const rank = (person: SlackUser) => fit(query, namesOf(person), [person.profile?.title, person.profile?.email]);
    const quest = { fits: (person: SlackUser) => rank(person) > 0 }; // to the end: names are not unique
    const { items, next, cut } = await walkPages(slack, peopleListing, cursor, quest);
    const found = items
      .map((person) => ({ person, rank: rank(person) }))
      .filter((each) => each.rank > 0)
      .sort((one, other) => other.rank - one.rank);
    const notes = [
      ...(found.length > limit ? [`${found.length - limit} more match and are not shown. Use more of the name.`] : []),
      ...(cut ? [`Not the whole list was read: ${cut}.`] : []),
    ];
    return { people: found.slice(0, limit).map(({ person }) => showPerson(person)), looked_at: items.length, next_cursor: next, notes };
  },
});
