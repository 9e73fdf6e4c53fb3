import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findPerson } from './find-person.js';
import { openSlack } from './open-slack.js';
import { personOutput, showPerson } from './show-person.js';

export const readProfile = defineTool({
  name: 'slack_read_profile',
  profile: 'slack',
  effect: 'read',
  description:
    'Reads the Slack profile of one person: names, title, mail address where the connection may see it, time zone and status. Use it ' +
    'to tell two people with the same name apart, or to see whether somebody is away. Not for finding people (use ' +
    'slack_search_users).',
  input: z.strictObject({
    user: z.string().min(1).max(200).describe('Id, mail address or "@name" of the person; "me" for the user of this connection.'),
  }),
  output: personOutput,
  timeoutMs: 60_000,
  async execute({ user }, context) {
    const slack = await openSlack(context);
    return showPerson(await findPerson(slack, user));
  },
});
