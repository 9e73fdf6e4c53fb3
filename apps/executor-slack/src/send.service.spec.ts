// The tools that change something, against a workspace: what went over the line, once, and what is said when nobody can know.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createCanvas } from './create-canvas.js';
import { createDraft } from './create-draft.js';
import { readCanvas } from './read-canvas.js';
import { scheduleMessage } from './schedule-message.js';
import { sendMessage } from './send-message.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';
import { updateCanvas } from './update-canvas.js';

let t: SlackTrial;
let [web, tom, old] = ['', '', ''];

beforeAll(async () => {
  t = await startSlackTrial({ users: [{ name: 'ann' }, { name: 'tom', real_name: 'Tom Hill' }], channels: [{ name: 'web-relaunch' }, { name: 'old' }] }, 'ann');
  [web, tom, old] = [await t.channel('web-relaunch'), await t.person('tom'), await t.channel('old')];
  await t.stage.as('admin')('conversations.archive', { channel: old });
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

interface Sent { ts: string; link: string; at: string; channel: { id: string; name: string }; notes: string[] }
const posts = () => t.stage.calls.filter(({ method }) => method === 'chat.postMessage');
const history = async (channel: string) => (await t.stage.as('admin')<{ messages: { text: string; ts: string; user: string; thread_ts?: string }[] }>('conversations.history', { channel })).messages;

describe('slack_send_message', () => {
  it('sends once, as the user, and tells channel, time and link', async () => {
    const sent = await t.content<Sent>(sendMessage, { channel: '#web-relaunch', text: 'Relaunch moves to *17 April*.' });
    expect(sent).toMatchObject({ channel: { id: web, name: '#web-relaunch' }, link: `https://emulate.slack.com/archives/${web}/p${sent.ts.replace('.', '')}`, notes: [] });
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
    expect((await t.run(sendMessage, { channel: web, text: 'x', thread: '1700000000.000001' })).error).toMatchObject({ kind: 'refusal', slug: 'slack-thread-not-found' });
    expect(posts()).toEqual([]);
  });

  it('asks whether a link to a message means a reply', async () => {
    const { link, ts } = await t.content<Sent>(sendMessage, { channel: web, text: 'Linked' });
    t.stage.calm();
    expect((await t.run(sendMessage, { channel: link, text: 'x' })).error).toMatchObject({ kind: 'refusal', slug: 'slack-reply-or-not', message: expect.stringContaining(`"thread": "${ts}"`) });
    expect(t.stage.calls).toEqual([]);
    await t.content(sendMessage, { channel: link, text: 'A reply', thread: ts });
    expect(posts()[0]!.args).toMatchObject({ channel: web, thread_ts: ts });
  });

  it.each([['a handle', '@tom'], ['a full name', '@Tom Hill'], ['an id', 'the id']])('sends a direct message to a person by %s', async (_how, who) => {
    const sent = await t.content<Sent>(sendMessage, { channel: who === 'the id' ? tom : who, text: 'Hello' });
    expect(sent.channel).toEqual({ id: expect.stringMatching(/^D/), name: expect.stringMatching(/direct messages with (tom|Tom Hill)/), shared_with_other_companies: false });
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
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'slack-outcome-unknown', message: expect.stringMatching(/not in the channel so far.*look for it before you send it again/) });
    expect(posts()).toHaveLength(1);
  });

  it.each<[string, object, string, RegExp]>([
    ['not_in_channel', { ok: false, error: 'not_in_channel' }, 'slack-not-in-channel', /join it in Slack/],
    ['missing_scope', { ok: false, error: 'missing_scope', needed: 'chat:write' }, 'slack-missing-scope', /lacks the right "chat:write".*connects Slack again/],
    ['a code that it does not know', { ok: false, error: 'brand_new_error' }, 'slack-brand-new-error', /Slack refused it: brand_new_error/],
  ])('says what to do about %s', async (_code, body, slug, says) => {
    t.stage.stunt('chat.postMessage', () => ({ body: body as Record<string, unknown> }));
    expect((await t.run(sendMessage, { channel: web, text: 'x' })).error).toMatchObject({ kind: 'refusal', slug, message: expect.stringMatching(says) });
    expect(posts()).toHaveLength(1);
  });
});

describe('slack_schedule_message', () => {
  const later = () => new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
  const iso = (date: Date) => date.toISOString().replace('.000Z', '+00:00');

  it('has Slack keep the message for that second, and says when in words', async () => {
    const at = later();
    const { scheduled_id, when } = await t.content<{ scheduled_id: string; when: string }>(scheduleMessage, { channel: 'web-relaunch', text: 'Good morning', at: iso(at) });
    const kept = await t.stage.as('ann')<{ scheduled_messages: object[] }>('chat.scheduledMessages.list');
    expect(kept.scheduled_messages).toEqual([expect.objectContaining({ id: scheduled_id, channel_id: web, post_at: at.getTime() / 1000, text: 'Good morning' })]);
    expect(when).toMatch(/^\w+day, \d+ \w+ 20\d\d at \d\d:\d\d \(UTC\)$/);
  });

  it('finds what it scheduled when the answer was lost', async () => {
    t.stage.stunt('chat.scheduleMessage', () => 'lose');
    const { notes } = await t.content<Sent>(scheduleMessage, { channel: web, text: 'Lost and found', at: iso(new Date(later().getTime() + 60_000)) });
    expect(notes).toEqual([expect.stringMatching(/is scheduled/)]);
  });

  it.each([['has passed', -60, 'slack-time-in-past'], ['is in ten seconds', 10, 'slack-time-in-past'], ['is in half a year', 180 * 86_400, 'slack-time-too-far']])('refuses a time that %s, before it asks Slack anything', async (_when, seconds, slug) => {
    const at = new Date(Date.now() + seconds * 1000).toISOString();
    expect((await t.run(scheduleMessage, { channel: web, text: 'x', at })).error).toMatchObject({ kind: 'refusal', slug });
    expect(t.stage.calls).toEqual([]);
  });

  it('wants the zone of the time', async () => {
    expect((await t.run(scheduleMessage, { channel: web, text: 'x', at: '2030-01-01T09:00:00' })).error).toMatchObject({ slug: 'invalid-arguments' });
  });
});

describe('slack_create_draft', () => {
  it("puts the text into the user's own messages, where nobody else sees it, and wakes nobody", async () => {
    const before = await history(web);
    const { destination, link } = await t.content<{ destination: string; link: string }>(createDraft, { channel: '#web-relaunch', text: '<!channel> The plan' });
    expect([destination, link]).toEqual(['#web-relaunch', expect.stringContaining('/archives/DSELF')]);
    expect(posts().map(({ args }) => args.channel)).toEqual([expect.stringMatching(/^DSELF/)]);
    expect(posts()[0]!.args.text).toBe(`*Draft for <https://emulate.slack.com/archives/${web}|#web-relaunch>*\n@channel The plan`);
    expect(await history(web)).toEqual(before);
  });
});

describe('canvases', () => {
  interface Canvas { canvas: string; link: string; markdown: string; next_offset: number | null; total: number; channel: string | null }
  const make = (markdown: string) => t.content<Canvas>(createCanvas, { title: 'Launch', markdown, channel: '#web-relaunch' });
  const read = async (canvas: string) => (await t.content<Canvas>(readCanvas, { canvas })).markdown;

  it('are made in a channel, and read by id or link', async () => {
    const made = await make('## Open\n\n- book the load test');
    expect(made).toMatchObject({ channel: '#web-relaunch', link: `https://emulate.slack.com/docs/T000000001/${made.canvas}` });
    expect(t.stage.calls.find(({ method }) => method === 'canvases.create')!.args).toMatchObject({ channel_id: web, title: 'Launch' });
    expect(await read(made.link)).toBe('# Launch\n\n## Open\n\n- book the load test');
  });

  it('are read in pages that end between characters', async () => {
    const { canvas } = await make('\u{1F680}'.repeat(600));
    const one = await t.content<Canvas>(readCanvas, { canvas, limit: 500 });
    const two = await t.content<Canvas>(readCanvas, { canvas, limit: 500, offset: one.next_offset });
    expect(one.markdown + two.markdown).toBe(`# Launch\n\n${'\u{1F680}'.repeat(600)}`);
    expect([one.total, two.next_offset]).toEqual([610, null]);
  });

  it.each<[string, object, string]>([
    ['added at the end', { change: 'insert_at_end', markdown: 'last' }, 'first thing\n\nsecond thing\n\nlast'],
    ['added after one section', { change: 'insert_after', section: 'first', markdown: 'between' }, 'first thing\n\nbetween\n\nsecond thing'],
    ['put in place of one section', { change: 'replace', section: 'second', markdown: 'changed' }, 'first thing\n\nchanged'],
    ['taken out', { change: 'delete', section: 'first thing' }, 'second thing'],
  ])('have something %s, and the rest is left alone', async (_what, args, text) => {
    const { canvas } = await make('first thing\n\nsecond thing');
    await t.content(updateCanvas, { canvas, ...args });
    expect(await read(canvas)).toBe(`# Launch\n\n${text}`);
  });

  it.each<[string, object, string]>([
    ['words that two sections contain', { change: 'replace', section: 'thing', markdown: 'x' }, 'slack-several-sections'],
    ['words that no section contains', { change: 'replace', section: 'nowhere', markdown: 'x' }, 'slack-no-section'],
    ['a replacement that names no section', { change: 'replace', markdown: 'x' }, 'slack-which-section'],
    ['an addition of nothing', { change: 'insert_at_end' }, 'slack-no-content'],
  ])('are not changed for %s', async (_what, args, slug) => {
    const { canvas } = await make('first thing\n\nsecond thing');
    expect((await t.run(updateCanvas, { canvas, ...args })).error).toMatchObject({ kind: 'refusal', slug });
    expect(t.stage.methods()).not.toContain('canvases.edit');
  });

  it('are refused with what to give in place of something else', async () => {
    expect((await t.run(readCanvas, { canvas: 'https://evil.example/docs/T1234567/F1234567' })).error).toMatchObject({ slug: 'slack-bad-canvas' });
    expect((await t.run(readCanvas, { canvas: 'F9999999' })).error).toMatchObject({ slug: 'slack-canvas-not-found' });
  });
});
