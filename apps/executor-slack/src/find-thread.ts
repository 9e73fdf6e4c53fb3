import { refuse } from '@skillgate/contracts/refusal';
import type { Slack } from './open-slack.js';
import type { SlackMessages } from './slack-answers.js';
import { readMessageLink } from './slack-link.js';

/**
 * The first message of the thread that is meant by any of its messages: Slack takes a reply to a reply and shows it nowhere
 * useful.
 *
 * @throws refusal `slack-thread-not-found`
 */
export async function findThread(slack: Slack, channel: string, ts: string): Promise<string> {
  const { messages = [] } = await slack.read<SlackMessages>('conversations.replies', { channel, ts, limit: 1 });
  const named = messages.find((message) => message.ts === ts);
  if (named) return named.thread_ts ?? ts;
  throw refuse(
    'slack-thread-not-found',
    'There is no message with that "thread" in that channel. Take both from one message that you read.',
  );
}

/** A link to a message says where it is and not whether to reply to it. @throws refusal `slack-reply-or-not` */
export function refuseMessageLink(channel: string, thread: string | undefined): void {
  const link = readMessageLink(channel.trim());
  if (!link?.ts || thread) return;
  const reply = `"channel": "${link.channel}" and "thread": "${link.thread ?? link.ts}"`;
  const message = `That links to a message. To reply to it, give ${reply}; else give the channel alone.`;
  throw refuse('slack-reply-or-not', message);
}
