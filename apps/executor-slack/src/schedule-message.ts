import { isUnavailable, refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDestination } from './find-channel.js';
import { personById } from './find-person.js';
import { findThread, refuseMessageLink } from './find-thread.js';
import { callMark } from './look-for-message.js';
import { type Slack, openSlack } from './open-slack.js';
import { outgoingText } from './outgoing-text.js';
import { placeInput } from './page-messages.js';
import { mentionInput, refuseArchived, textInput, threadInput } from './send-message.js';

/** Seconds that a scheduled time must be ahead, and that Slack keeps a message at most. */
const [soonest, latest] = [60, 120 * 24 * 3600];

export const scheduleMessage = defineTool({
  name: 'slack_schedule_message',
  profile: 'slack',
  effect: 'external',
  description:
    "Has Slack send one message under the user's name at a later time, at most 120 days ahead. Give the time with its zone, and read " +
    'the answer\'s "when" back to the user: date, weekday and zone. Use it once. Not for sending now (use slack_send_message), and not ' +
    'for messages that repeat.',
  input: z.strictObject({
    channel: placeInput,
    text: textInput,
    at: z.iso.datetime({ offset: true }).describe('When, ISO 8601 with zone, such as "2026-03-12T09:00:00+01:00".'),
    thread: threadInput,
    mention_everyone: mentionInput,
  }),
  output: z.object({
    channel: z.object({ id: z.string(), name: z.string() }),
    scheduled_id: z.string(),
    at: z.string(),
    when: z.string(),
    notes: z.array(z.string()),
  }),
  timeoutMs: 90_000,
  async execute({ channel, text, at, thread, mention_everyone }, context) {
    const seconds = Math.floor(Date.parse(at) / 1000);
    refuseTime(seconds, Date.now() / 1000);
    refuseMessageLink(channel, thread);
    const written = outgoingText(text, mention_everyone);
    const slack = await openSlack(context, 'changing');
    const zone = await zoneOf(slack);
    const place = await findDestination(slack, channel);
    refuseArchived(place);
    const message = {
      channel: place.id,
      text: written,
      post_at: seconds,
      ...(thread && { thread_ts: await findThread(slack, place.id, thread) }),
      metadata: callMark(context.callId),
    };
    const notes: string[] = [];
    const id = await slack
      .change<{ scheduled_message_id?: string }>('chat.scheduleMessage', message)
      .then((answer) => answer.scheduled_message_id ?? '')
      .catch(async (error: unknown) => {
        const found = await lookForScheduled(slack, error, place.id, seconds, written);
        notes.push('Slack gave no answer, but the message is scheduled. Do not schedule it again.');
        return found;
      });
    const time = new Date(seconds * 1000);
    return {
      channel: { id: place.id, name: place.called },
      scheduled_id: id,
      at: time.toISOString().replace('.000Z', 'Z'),
      when: inWords(time, zone),
      notes,
    };
  },
});

function refuseTime(seconds: number, now: number): void {
  if (seconds < now + soonest)
    throw refuse('slack-time-in-past', 'That time has passed or is less than a minute ahead. Take a later one, or send the message now.');
  if (seconds > now + latest)
    throw refuse('slack-time-too-far', 'Slack keeps scheduled messages for 120 days at most. Take an earlier time.');
}

/** The user's own zone as Slack knows it; it is for reading back, so UTC does where it is unknown. */
const zoneOf = (slack: Slack): Promise<string> =>
  slack
    .self()
    .then(({ user }) => personById(slack, user))
    .then(
      ({ tz }) => (tz && isZone(tz) ? tz : 'UTC'),
      () => 'UTC',
    );

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Such as "Thursday, 12 March 2026 at 09:00 (Europe/Berlin)". */
export function inWords(time: Date, zone: string): string {
  const date = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const parts = Object.fromEntries(date.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year} at ${clock.format(time)} (${zone})`;
}

/** @throws the doubt when it is not among what Slack has scheduled */
async function lookForScheduled(slack: Slack, doubt: unknown, channel: string, seconds: number, text: string): Promise<string> {
  if (!isUnavailable(doubt, 'slack-outcome-unknown')) throw doubt;
  type Listed = { scheduled_messages?: { id?: string; post_at?: number; text?: string }[] };
  const answer = await slack.glance<Listed>('chat.scheduledMessages.list', { channel, oldest: seconds, latest: seconds + 1, limit: 100 });
  const own = answer?.scheduled_messages?.find((each) => each.post_at === seconds && each.text === text);
  if (own?.id) return own.id;
  throw doubt;
}
