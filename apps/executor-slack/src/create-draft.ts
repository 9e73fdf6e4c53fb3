import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDestination } from './find-channel.js';
import { refuseMessageLink } from './find-thread.js';
import { callMark, lookForMessage } from './look-for-message.js';
import { openSlack } from './open-slack.js';
import { outgoingText } from './outgoing-text.js';
import { placeInput } from './page-messages.js';
import { textInput, threadInput } from './send-message.js';
import type { SlackChannel } from './slack-answers.js';
import { messageLink } from './slack-link.js';

export const createDraft = defineTool({
  name: 'slack_create_draft',
  profile: 'slack',
  effect: 'write',
  description:
    "Puts a draft into the user's own direct messages in Slack (the conversation with themselves), with a link to where it is meant " +
    "to go. Nobody else sees it, and Slack's own list of drafts is closed to apps: the user copies the text from there and sends it. " +
    'Use it when they would rather finish it in Slack. Not for sending (use slack_send_message).',
  input: z.strictObject({ channel: placeInput, text: textInput, thread: threadInput }),
  output: z.object({ destination: z.string(), link: z.string(), where: z.string() }),
  timeoutMs: 90_000,
  async execute({ channel, text, thread }, context) {
    refuseMessageLink(channel, thread);
    const written = outgoingText(text, true); // it reaches nobody but its author
    const slack = await openSlack(context, 'changing');
    const { user, url } = await slack.self();
    const place = await findDestination(slack, channel);
    const own = await slack.read<{ channel?: SlackChannel }>('conversations.open', { users: user });
    const id = own.channel?.id;
    if (!id)
      throw refuse(
        'slack-no-own-messages',
        'Slack opened no direct messages of the user with themselves. Give them the text here instead.',
      );
    const goal = thread ? messageLink(url, place.id, thread) : `${url}archives/${place.id}`;
    const draft = `*Draft for <${goal}|${outgoingText(place.called, true)}>*\n${written.replaceAll(/<!(here|channel|everyone)>/g, '@$1')}`;
    const since = Date.now();
    const ts = await slack
      .change<{ ts?: string }>('chat.postMessage', { channel: id, text: draft, metadata: callMark(context.callId), unfurl_links: false })
      .then((answer) => answer.ts ?? '')
      .catch((error: unknown) => lookForMessage(slack, error, { channel: id, callId: context.callId, text: draft, since }));
    return { destination: place.called, link: messageLink(url, id, ts), where: "the user's direct messages with themselves" };
  },
});
