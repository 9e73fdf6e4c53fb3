// The tools that change something, against a workspace: what went over the line, once, and what is said when nobody can know.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sendMessage } from './send-message.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';

let t: SlackTrial;
let [web, tom, old] = ['', '', ''];

beforeAll(async () => {
  t = await startSlackTrial(
    { users: [{ name: 'ann' }, { name: 'tom', real_name: 'Tom Hill' }], channels: [{ name: 'web-relaunch' }, { name: 'old' }] },
    'ann',
  );
  [web, tom, old] = [await t.channel('web-relaunch'), await t.person('tom'), await t.channel('old')];
  await t.stage.as('admin')('conversations.archive', { channel: old });
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

interface Sent {
  ts: string;
  link: string;
  at: string;
  channel: { id: string; name: string };
  notes: string[];
}
const posts = () => t.stage.calls.filter(({ method }) => method === 'chat.postMessage');
const history = async (channel: string) =>
  (
    await t.stage.as('admin')<{ messages: { text: string; ts: string; user: string; thread_ts?: string }[] }>('conversations.history', {
      channel,
    })
  ).messages;

describe('slack_send_message', () => {
  it('sends once, as the user, and tells channel, time and link', async () => {
    const sent = await t.content<Sent>(sendMessage, { channel: '#web-relaunch', text: 'Relaunch moves to *17 April*.' });
    expect(sent).toMatchObject({
      channel: { id: web, name: '#web-relaunch' },
      link: `https://emulate.slack.com/archives/${web}/p${sent.ts.replace('.', '')}`,
      notes: [],
    });
    expect((await history(web))[0]).toMatchObject({ text: 'Relaunch moves to *17 April*.', ts: sent.ts, user: await t.person('ann') });
    expect(posts().map(({ args, token }) => [args.channel, token === t.token])).toEqual([[web, true]]);
  });

  it('replies in the thread, under its first message', async () => {
    const { ts } = await t.content<Sent>(sendMessage, { channel: web, text: 'Question' });
    const reply = await t.content<Sent>(sendMessage, { channel: web, text: 'Answer', thread: ts, also_in_channel: true });
    expect(posts()[1]!.args).toMatchObject({ thread_ts: ts, reply_broadcast: 'true' });
    expect(reply.link).toContain(`?thread_ts=${ts}&cid=${web}`);
  });

  it('replies to the thread of a message that is itself a reply', async () => {
    const { ts } = await t.content<Sent>(sendMessage, { channel: web, text: 'Root' });
    const reply = await t.content<Sent>(sendMessage, { channel: web, text: 'First reply', thread: ts });
    await t.content(sendMessage, { channel: web, text: 'Second reply', thread: reply.ts });
    expect(posts().map(({ args }) => args.thread_ts)).toEqual([undefined, ts, ts]);
  });

  it('sends nothing into a thread that is not there', async () => {
    expect((await t.run(sendMessage, { channel: web, text: 'x', thread: '1700000000.000001' })).error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-thread-not-found',
    });
    expect(posts()).toEqual([]);
  });

  it('asks whether a link to a message means a reply', async () => {
    const { link, ts } = await t.content<Sent>(sendMessage, { channel: web, text: 'Linked' });
    t.stage.calm();
    expect((await t.run(sendMessage, { channel: link, text: 'x' })).error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-reply-or-not',
      message: expect.stringContaining(`"thread": "${ts}"`),
    });
    expect(t.stage.calls).toEqual([]);
    await t.content(sendMessage, { channel: link, text: 'A reply', thread: ts });
    expect(posts()[0]!.args).toMatchObject({ channel: web, thread_ts: ts });
  });

  it.each([
    ['a handle', '@tom'],
    ['a full name', '@Tom Hill'],
    ['an id', 'the id'],
  ])('sends a direct message to a person by %s', async (_how, who) => {
    const sent = await t.content<Sent>(sendMessage, { channel: who === 'the id' ? tom : who, text: 'Hello' });
    expect(sent.channel).toEqual({
      id: expect.stringMatching(/^D/),
      name: expect.stringMatching(/direct messages with (tom|Tom Hill)/),
      shared_with_other_companies: false,
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a channel that is not there', { channel: '#web-relaunc', text: 'x' }, 'slack-unknown-channel'],
    ['an archived channel', { channel: '#old', text: 'x' }, 'slack-unknown-channel'],
    ['no text', { channel: '#web-relaunch', text: '  ' }, 'slack-empty-text'],
    ['a mention of all that nobody asked for', { channel: '#web-relaunch', text: '<!channel> hello' }, 'slack-wakes-everyone'],
  ])('sends nothing for %s', async (_what, args, slug) => {
    expect((await t.run(sendMessage, args)).error).toMatchObject({ kind: 'refusal', slug });
    expect(posts()).toEqual([]);
  });

  it('sends nothing to an archived channel that is named by its id', async () => {
    expect((await t.run(sendMessage, { channel: old, text: 'x' })).error).toMatchObject({ kind: 'refusal', slug: 'slack-is-archived' });
    expect(posts()).toEqual([]);
  });

  it('names channels that resemble the one that is not there', async () => {
    expect((await t.run(sendMessage, { channel: '#relaunch', text: 'x' })).error?.message).toContain('Similar: #web-relaunch.');
  });

  it('shows characters as they are and lets marks work', async () => {
    await t.content(sendMessage, { channel: web, text: `if a < b && c > d: <@${tom}>, see <https://example.com|this>\n> quoted` });
    expect(posts()[0]!.args.text).toBe(`if a &lt; b &amp;&amp; c &gt; d: <@${tom}>, see <https://example.com|this>\n> quoted`);
  });

  it('finds its message when the answer was lost, and does not send it again', async () => {
    t.stage.stunt('chat.postMessage', () => 'lose');
    const sent = await t.content<Sent>(sendMessage, { channel: web, text: 'Once and no more' });
    expect(sent.notes).toEqual([expect.stringMatching(/the message is there/)]);
    expect(posts()).toHaveLength(1);
    const there = (await history(web)).filter(({ text }) => text === 'Once and no more');
    expect(there.map(({ ts }) => ts)).toEqual([sent.ts]);
  });

  it('says that nobody knows when the answer was lost and the message is not there', async () => {
    t.stage.stunt('chat.postMessage', () => ({ status: 503, body: {} }));
    const { error } = await t.run(sendMessage, { channel: web, text: 'Perhaps' });
    expect(error).toMatchObject({
      kind: 'unavailable',
      slug: 'slack-outcome-unknown',
      message: expect.stringMatching(/not in the channel so far.*look for it before you send it again/),
    });
    expect(posts()).toHaveLength(1);
  });

  it.each<[string, object, string, RegExp]>([
    ['not_in_channel', { ok: false, error: 'not_in_channel' }, 'slack-not-in-channel', /join it in Slack/],
    [
      'missing_scope',
      { ok: false, error: 'missing_scope', needed: 'chat:write' },
      'slack-missing-scope',
      /lacks the right "chat:write".*connects Slack again/,
    ],
    ['a code that it does not know', { ok: false, error: 'brand_new_error' }, 'slack-brand-new-error', /Slack refused it: brand_new_error/],
  ])('says what to do about %s', async (_code, body, slug, says) => {
    t.stage.stunt('chat.postMessage', () => ({ body: body as Record<string, unknown> }));
    expect((await t.run(sendMessage, { channel: web, text: 'x' })).error).toMatchObject({
      kind: 'refusal',
      slug,
      message: expect.stringMatching(says),
    });
    expect(posts()).toHaveLength(1);
  });
});
