// Reading and searching messages in a workspace: an emulator, and Slack's published shapes where it has none.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readChannel } from './read-channel.js';
import { readThread } from './read-thread.js';
import { searchMessages } from './search-messages.js';
import { type SlackTrial, startSlackTrial } from './try-slack.fixture.js';

let t: SlackTrial;
let [web, ann] = ['', ''];
let first = '';

beforeAll(async () => {
  const cast = {
    users: [
      {
        name: 'ann',
        real_name: 'Ann Reed',
        email: 'ann@example.com',
        profile: { title: 'Design lead', status_text: 'On leave', status_emoji: ':palm_tree:', status_expiration: 1 },
      },
      { name: 'tom', real_name: 'Tom Hill', profile: { display_name: 'Tom' } },
      { name: 'tom2', real_name: 'Tom Hall', profile: { display_name: 'Tom', title: 'Payments' } },
    ],
    channels: [
      { name: 'web-relaunch', topic: 'Everything about the new site' },
      { name: 'design', purpose: 'Where designers meet' },
      { name: 'design-critique' },
    ],
  };
  t = await startSlackTrial(cast, 'ann');
  [web, ann] = [await t.channel('web-relaunch'), await t.person('ann')];
  const tom = t.stage.as('tom');
  ({ ts: first } = await tom<{ ts: string }>('chat.postMessage', {
    channel: web,
    text: `Relaunch on 3 April? <@${ann}> &lt;soon&gt; <https://example.com/plan|the plan>`,
  }));
  await t.stage.as('ann')('chat.postMessage', { channel: web, text: 'No: 17 April.', thread_ts: first });
  for (let n = 1; n <= 5; n += 1) await tom('chat.postMessage', { channel: web, text: `Note ${n}` });
}, 30_000);
afterAll(() => t?.stop());
afterEach(() => t.stage.calm());

interface Messages {
  messages: { text: string; from: string; link: string; replies?: number; ts: string; at: string }[];
  next_cursor: string | null;
}

describe('slack_read_channel', () => {
  it('reads a channel by its name, with names in place of ids and marks as people see them', async () => {
    const { messages, next_cursor, channel } = await t.content<Messages & { channel: object }>(readChannel, { channel: '#Web-Relaunch' });
    expect(channel).toEqual({ id: web, name: '#web-relaunch', shared_with_other_companies: false });
    expect(next_cursor).toBeNull();
    expect(messages.map(({ text }) => text)).toEqual([
      'Note 5',
      'Note 4',
      'Note 3',
      'Note 2',
      'Note 1',
      'Relaunch on 3 April? @ann <soon> the plan (https://example.com/plan)',
    ]);
    expect(messages.at(-1)).toMatchObject({
      from: 'Tom',
      replies: 1,
      ts: first,
      link: `https://emulate.slack.com/archives/${web}/p${first.replace('.', '')}`,
    });
    expect(messages[0]!.at).toMatch(/^20\d\d-\d\d-\d\dT[\d:]+Z$/);
  });

  it('reads on where it stopped, until there is no cursor', async () => {
    const page = (cursor?: string) => t.content<Messages>(readChannel, { channel: web, limit: 4, ...(cursor && { cursor }) });
    const one = await page();
    const two = await page(one.next_cursor!);
    expect([one.messages.length, two.messages.length, two.next_cursor]).toEqual([4, 2, null]);
  });

  it('does not take a short or an empty page for the last one', async () => {
    const pages: Record<string, object> = {
      '': { messages: [{ ts: '1700000003.000000', user: ann, text: 'c' }], response_metadata: { next_cursor: 'p2' } },
      p2: { messages: [], has_more: true, response_metadata: { next_cursor: 'p3' } },
      p3: { messages: [{ ts: '1700000001.000000', user: ann, text: 'a' }], response_metadata: { next_cursor: '' } },
    };
    t.stage.stunt('conversations.history', ({ cursor = '' }) => ({ body: { ok: true, ...pages[cursor] } }));
    const { messages, next_cursor } = await t.content<Messages>(readChannel, { channel: web });
    expect([messages.map(({ text }) => text), next_cursor]).toEqual([['c', 'a'], null]);
  });

  it('stops after ten requests and says where to read on', async () => {
    t.stage.stunt('conversations.history', (_args, count) => ({
      body: { ok: true, messages: [], response_metadata: { next_cursor: `p${count}` } },
    }));
    expect(await t.content<Messages>(readChannel, { channel: web })).toMatchObject({ messages: [], next_cursor: 'p10' });
    expect(t.stage.methods().filter((method) => method === 'conversations.history')).toHaveLength(10);
  });

  it('keeps an answer of long messages within what a result may hold', async () => {
    const long = Array.from({ length: 100 }, (_, n) => ({
      ts: `17000000${String(n).padStart(2, '0')}.000000`,
      user: ann,
      text: '\u65e5'.repeat(12_000),
    }));
    t.stage.stunt('conversations.history', () => ({ body: { ok: true, messages: long } }));
    const content = await t.content<Messages>(readChannel, { channel: web, limit: 100 });
    expect(content.messages).toHaveLength(100);
    expect(content.messages[0]).toMatchObject({ text: '\u65e5'.repeat(4_000), text_cut: true });
    expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThan(230_000);
  });

  it('passes a span of time on in seconds', async () => {
    await t.content(readChannel, { channel: web, since: '2026-03-01T00:00:00+01:00' });
    expect(t.stage.calls.find(({ method }) => method === 'conversations.history')!.args).toMatchObject({
      channel: web,
      oldest: '1772319600',
    });
  });
});

describe('slack_read_thread', () => {
  it.each<[string, () => object]>([
    ['its channel and first message', () => ({ channel: 'web-relaunch', ts: first })],
    ['a link to it', () => ({ link: `https://emulate.slack.com/archives/${web}/p${first.replace('.', '')}` })],
    [
      'a link to one of its replies',
      () => ({ link: `https://emulate.slack.com/archives/${web}/p1799999999000001?thread_ts=${first}&cid=${web}` }),
    ],
  ])('reads a thread by %s', async (_how, args) => {
    const { messages } = await t.content<Messages>(readThread, args() as Record<string, unknown>);
    expect(messages.map(({ text }) => text)).toEqual([expect.stringContaining('Relaunch on 3 April?'), 'No: 17 April.']);
  });

  it('shows the first message once, though Slack begins each page with it', async () => {
    const at = (n: number) => ({ ts: `170000000${n}.000000`, user: ann, text: `${n}` });
    const pages: Record<string, object> = {
      '': { messages: [at(0), at(1)], response_metadata: { next_cursor: 'p2' } },
      p2: { messages: [at(0), at(2)], response_metadata: { next_cursor: 'p3' } },
      p3: { messages: [at(0), at(3)], response_metadata: { next_cursor: '' } },
    };
    t.stage.stunt('conversations.replies', ({ cursor = '' }) => ({ body: { ok: true, ...pages[cursor] } }));
    const read = async (more: object) =>
      (await t.content<Messages>(readThread, { channel: web, ts: at(0).ts, ...more })).messages.map(({ text }) => text);
    expect([await read({}), await read({ cursor: 'p2' }), await read({ limit: 3 })]).toEqual([
      ['0', '1', '2', '3'],
      ['2', '3'],
      ['0', '1', '2'],
    ]);
  });

  it('asks which thread when it is told none, and asks Slack nothing', async () => {
    expect((await t.run(readThread, { channel: 'web-relaunch' })).error).toMatchObject({ kind: 'refusal', slug: 'slack-which-thread' });
    expect(t.stage.calls).toEqual([]);
  });
});

describe('slack_search_messages', () => {
  interface Found {
    total: number;
    messages: { text: string; channel: string; link: string }[];
    next_page: number | null;
  }

  it('finds messages by words and filters, page by page', async () => {
    const one = await t.content<Found>(searchMessages, { query: 'note in:#web-relaunch', limit: 3, newest_first: true });
    expect([one.total, one.messages.map(({ text }) => text), one.next_page]).toEqual([5, ['Note 5', 'Note 4', 'Note 3'], 2]);
    expect(one.messages[0]).toMatchObject({ channel: '#web-relaunch', link: expect.stringContaining('/archives/') });
    const two = await t.content<Found>(searchMessages, { query: 'note in:#web-relaunch', limit: 3, newest_first: true, page: 2 });
    expect([two.messages.length, two.next_page]).toEqual([2, null]);
    expect(t.stage.calls.find(({ method }) => method === 'search.messages')!.args).toMatchObject({
      sort: 'timestamp',
      count: '3',
      page: '1',
    });
  });

  it('passes over pages that are empty while more are left', async () => {
    const match = { ts: '1700000000.000001', user: ann, text: 'here', channel: { id: web, name: 'web-relaunch' } };
    t.stage.stunt('search.messages', ({ page }) => ({
      body: { ok: true, messages: { total: 1, matches: page === '3' ? [match] : [], paging: { pages: 3, page: Number(page), total: 1 } } },
    }));
    expect(await t.content<Found>(searchMessages, { query: 'here' })).toMatchObject({ messages: [{ text: 'here' }], next_page: null });
  });

  it('says that a bot cannot search, and who can', async () => {
    t.stage.stunt('search.messages', () => ({ body: { ok: false, error: 'not_allowed_token_type' } }));
    expect((await t.run(searchMessages, { query: 'x' })).error).toMatchObject({
      kind: 'refusal',
      slug: 'slack-not-allowed-token-type',
      message: expect.stringMatching(/as a person/),
    });
  });
});
