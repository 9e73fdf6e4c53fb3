import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { type Destination, findDestination } from './find-channel.js';
import { findThread, refuseMessageLink } from './find-thread.js';
import { callMark, lookForMessage } from './look-for-message.js';
import { openSlack } from './open-slack.js';
import { outgoingText } from './outgoing-text.js';
import { messageTs, placeInput } from './page-messages.js';
import { timeOf } from './show-messages.js';
import { messageLink } from './slack-link.js';

/** Characters; Slack advises 4000 and cuts at 40 000. */
export const textInput = z
  .string()
  .min(1)
  .max(4_000)
  .describe(
    'The message as it is to stand there, in Slack\'s marks (*bold*, _italic_, "> " quote, `code`), not Markdown. Mention a person as <@id>.',
  );

export const threadInput = messageTs
  .optional()
  .describe('To reply in a thread: "ts" of its first message. Leave out for a message of its own.');
export const mentionInput = z
  .boolean()
  .default(false)
  .describe('True only when the user asked to mention <!here>, <!channel>, <!everyone> or a group.');

export const sendMessage = defineTool({
  name: 'slack_send_message',
  profile: 'slack',
  effect: 'external',
  description:
    "Sends one message in Slack under the user's name, at once, in front of others: to a channel, as a direct message, or as a reply " +
    'in a thread. Use it once, with the destination and the text that the user has decided on. When it ends without an answer, search ' +
    'for the text before you try again. Not for a later hour (use slack_schedule_message), a text to finish by hand ' +
    '(slack_create_draft), or long documents (slack_create_canvas).',
  input: z.strictObject({
    channel: placeInput,
    text: textInput,
    thread: threadInput,
    also_in_channel: z.boolean().default(false).describe('With "thread": show the reply in the channel, too.'),
    mention_everyone: mentionInput,
  }),
  output: z.object({
    channel: z.object({ id: z.string(), name: z.string(), shared_with_other_companies: z.boolean() }),
    ts: z.string(),
    at: z.string(),
    link: z.string(),
    notes: z.array(z.string()),
  }),
  timeoutMs: 90_000,
  async execute({ channel, text, thread, also_in_channel, mention_everyone }, context) {
    refuseMessageLink(channel, thread);
    const written = outgoingText(text, mention_everyone);
    const slack = await openSlack(context, 'changing');
    const { url } = await slack.self();
    const place = await findDestination(slack, channel);
    refuseArchived(place);
    const root = thread && (await findThread(slack, place.id, thread));
    const reply = root ? { thread_ts: root, reply_broadcast: also_in_channel } : {};
    const sent = { channel: place.id, callId: context.callId, text: written, thread: root, since: Date.now() };
    const notes: string[] = [];
    const ts = await slack
      .change<{ ts?: string }>('chat.postMessage', { channel: place.id, text: written, ...reply, metadata: callMark(context.callId) })
      .then((answer) => answer.ts ?? '')
      .catch(async (error: unknown) => {
        const found = await lookForMessage(slack, error, sent);
        notes.push('Slack gave no answer, but the message is there. Do not send it again.');
        return found;
      });
    const where = { id: place.id, name: place.called, shared_with_other_companies: Boolean(place.is_ext_shared) };
    return { channel: where, ts, at: timeOf(ts), link: messageLink(url, place.id, ts, root), notes };
  },
});

export function refuseArchived({ is_archived, called }: Destination): void {
  if (is_archived)
    throw refuse('slack-is-archived', `${called} is archived, so nothing can be sent to it. Ask the user for another channel.`);
}
