import { z } from 'zod';
import { calledOf } from './names.js';
import type { Slack } from './open-slack.js';
import { mentionedIn, readableText } from './readable-text.js';
import type { SlackMessage, SlackUser } from './slack-answers.js';
import { messageLink } from './slack-link.js';

/** Characters of one message; a longer one is cut and says so. */
const longestText = 4_000;
/** Bytes of all texts of one answer together, well under the 256 KiB of a result with its other fields. */
const textBudget = 100_000;
/** Characters that are left of a message when the budget is spent. */
const shortText = 200;
/** Unknown people whose names one answer looks up; the rest stay ids. */
const lookUps = 25;

export const shownMessage = z.object({
  ts: z.string(),
  at: z.string(),
  from: z.string(),
  text: z.string(),
  text_cut: z.boolean().optional(),
  replies: z.number().int().optional(),
  thread: z.string().optional(),
  reactions: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  link: z.string(),
});
export type ShownMessage = z.infer<typeof shownMessage>;

/** Messages as a model reads them: who, when, what, with a link; ids become names where Slack tells them. */
export async function showMessages(
  slack: Slack,
  channelOf: (message: SlackMessage) => string,
  messages: readonly SlackMessage[],
): Promise<ShownMessage[]> {
  const { url } = await slack.self();
  const nameOf = await namesFor(slack, messages);
  let left = textBudget;
  return messages.map((message) => {
    const { ts = '', thread_ts, reply_count, reactions = [], files = [], permalink } = message;
    const text = readableText(textOf(message), nameOf);
    const limit = left > 0 ? longestText : shortText;
    const shown = [...text].slice(0, limit).join('');
    left -= Buffer.byteLength(shown);
    return {
      ts,
      at: timeOf(ts),
      from: senderOf(message, nameOf),
      text: shown,
      ...(shown.length < text.length && { text_cut: true }),
      ...(reply_count && { replies: reply_count }),
      ...(thread_ts && { thread: thread_ts }),
      ...(reactions.length > 0 && { reactions: reactions.slice(0, 20).map(({ name, count }) => `${name} ${count}`) }),
      ...(files.length > 0 && { files: files.slice(0, 10).map(({ title, name }) => (title || name || 'a file').slice(0, 120)) }),
      link: permalink || messageLink(url, channelOf(message), ts, thread_ts),
    };
  });
}

/** Apps often write nothing into the text and everything into attachments. */
const textOf = ({ text, attachments = [] }: SlackMessage): string =>
  text || attachments.map((each) => each.text || each.fallback || each.title || '').join('\n');

const senderOf = ({ user, username, bot_profile }: SlackMessage, nameOf: (id: string) => string | undefined): string =>
  (user && nameOf(user)) || username || bot_profile?.name || user || 'an app';

/** ISO 8601 in UTC, to the second. */
export function timeOf(ts: string): string {
  const ms = Number(ts) * 1000;
  return ts && Number.isFinite(ms) ? new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z') : '';
}

async function namesFor(slack: Slack, messages: readonly SlackMessage[]): Promise<(id: string) => string | undefined> {
  const ids = new Set(messages.flatMap((message) => [...(message.user ? [message.user] : []), ...mentionedIn(message.text ?? '')]));
  const keyOf = (id: string) => `${slack.mark()}/${id}`;
  const unknown = [...ids].filter((id) => !slack.memory.people.has(keyOf(id))).slice(0, lookUps);
  await Promise.all(
    unknown.map(async (id) => {
      const answer = await slack.glance<{ user?: SlackUser }>('users.info', { user: id });
      if (answer?.user) slack.memory.people.set(keyOf(id), answer.user);
    }),
  );
  return (id) => {
    const person = slack.memory.people.get(keyOf(id));
    return person && calledOf(person);
  };
}
