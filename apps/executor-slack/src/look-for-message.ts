import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable, unavailable } from '@skillgate/contracts/refusal';
import type { Slack } from './open-slack.js';
import type { SlackMessages } from './slack-answers.js';

/** What marks a message as that of one call. Slack shows it to nobody. */
export const markEvent = 'skillgate_call';
export const callMark = (callId: string) => ({ event_type: markEvent, event_payload: { call: callId } });

/** Milliseconds after which a message that was taken can be read. */
const settleMs = 1_500;
/** Seconds by which Slack's clock may be behind. */
const clockSeconds = 10;

export interface Sent {
  channel: string;
  callId: string;
  text: string;
  thread?: string;
  /** Milliseconds since the epoch at which it was sent. */
  since: number;
}

/**
 * After a send whose answer was lost: looks whether the message is there.
 *
 * @returns its `ts`
 * @throws the doubt, with what was seen, when it is not there: it may still arrive
 */
export async function lookForMessage(slack: Slack, doubt: unknown, { channel, callId, text, thread, since }: Sent): Promise<string> {
  if (!isUnavailable(doubt, 'slack-outcome-unknown')) throw doubt;
  await pause(settleMs, undefined, { signal: slack.signal });
  const args = { channel, oldest: String(since / 1000 - clockSeconds), limit: 50, include_all_metadata: true };
  const found = await slack.glance<SlackMessages>(thread ? 'conversations.replies' : 'conversations.history', {
    ...args,
    ...(thread && { ts: thread }),
  });
  if (!found) throw doubt;
  const self = await slack.self().catch(() => undefined);
  const own = found.messages?.find(
    (message) =>
      message.metadata?.event_payload?.call === callId ||
      (message.text === text && message.user === self?.user && Number(message.ts) * 1000 >= since - clockSeconds * 1000),
  );
  if (own?.ts) return own.ts;
  const where = thread ? 'thread' : 'channel';
  throw unavailable(
    'slack-outcome-unknown',
    `${doubt.message} It is not in the ${where} so far, and may still arrive: look for it before you send it again.`,
  );
}
