// Proves: the skill for Slack works from connection to message. An account connects, a model loads the skill, reads and sends under the
// account's own token, and a send waits for its user's yes where the policy says so.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, ScriptStep } from '@skillgate/testing/script';
import { type SlackHouse, startSlackHouse } from './slack-house.fixture.js';
import { modelId, readAnswer } from './test-house.fixture.js';

const messages = [{ role: 'user', content: 'Post the new date to the relaunch channel on Slack.' }];
const lastResult = ({ messages: all }: ChatRequest): string => String(all.findLast(({ role }) => role === 'tool')?.content);
const load: ScriptStep = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'slack-messaging' } }] };
const call = (name: string, args: object): ScriptStep => ({ toolCalls: [{ name, arguments: args as Record<string, unknown> }] });
const sending = call('slack_send_message', { channel: '#web-relaunch', text: 'The relaunch moves to 17 April.' });

let t: SlackHouse;
let channel = '';
beforeAll(async () => {
  t = await startSlackHouse();
  const tom = t.stage.as('tom');
  const { channels } = await tom<{ channels: { id: string; name: string }[] }>('conversations.list');
  channel = channels.find(({ name }) => name === 'web-relaunch')!.id;
  await tom('chat.postMessage', { channel, text: 'Is 3 April still the date?' });
}, 120_000);
afterAll(() => t?.stop(), 60_000);
afterEach(() => t.stage.calm());

const posted = async () => {
  const { messages: all } = await t.stage.as('tom')<{ messages: { text: string; user: string }[] }>('conversations.history', { channel });
  return all.filter(({ text }) => text.includes('17 April'));
};
const policy = async (external: string | null) => {
  const said = await t.send('PATCH', '/api/v1/profiles/slack/policy', { external }, t.house.keys.operator);
  expect([said.status, said.ok || (await said.text())]).toEqual([200, true]);
};

async function ended(turn: string): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    const { outcome } = (await (await t.get(`/api/v1/turns/${turn}`)).json()) as { outcome: object | null };
    if (outcome) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the turn did not end within 10 s');
}

describe('Slack', () => {
  it('is withheld with the way to connect it until it is connected', async () => {
    let result = '';
    await t.turn([load, { expect: (request) => void (result = lastResult(request)), text: 'Connect it first.' }], { messages });
    expect(result).toMatch(/skill-unmet.*slack/i);
    expect(t.stage.calls).toEqual([]);
  });

  it('is connected by the account in a browser, with the rights that its tools need', async () => {
    expect(await t.connect('ann')).toContain('Slack is connected');
    const { integrations } = (await (await t.get('/api/v1/integrations')).json()) as {
      integrations: { integration: string; status: string; scopes: string[] }[];
    };
    const slack = integrations.find(({ integration }) => integration === 'slack')!;
    expect(slack).toMatchObject({ status: 'connected', scopes: expect.arrayContaining(['search:read', 'chat:write', 'canvases:write']) });
  });

  it('is searched and read for the model, under the token of the user who connected it, which nobody is shown', async () => {
    const read: string[] = [];
    const note = (request: ChatRequest) => void read.push(lastResult(request));
    const answer = await t.turn(
      [
        load,
        call('slack_search_channels', { query: 'new site' }),
        { expect: note, ...call('slack_read_channel', { channel: '#web-relaunch' }) },
        { expect: note, ...call('slack_search_messages', { query: '"3 April" in:#web-relaunch'.replaceAll('"', '') }) },
        { expect: note, ...call('slack_read_profile', { user: 'me' }) },
        { expect: note, ...call('slack_create_draft', { channel: '@tom', text: 'Not yet.' }) },
        { expect: note, text: 'Tom asks whether 3 April stands.' },
      ],
      { messages },
    );
    expect(read[0]).toContain('#web-relaunch');
    expect(JSON.parse(read[1]!)).toMatchObject({
      messages: [{ from: expect.stringMatching(/tom/i), text: 'Is 3 April still the date?', link: expect.stringContaining(channel) }],
      next_cursor: null,
    });
    expect(JSON.parse(read[2]!)).toMatchObject({ total: 1, messages: [{ channel: '#web-relaunch' }] });
    expect(JSON.parse(read[3]!)).toMatchObject({ handle: '@ann' });
    expect(JSON.parse(read[4]!)).toMatchObject({ destination: 'direct messages with tom' });
    const steps = (await t.route(answer.turn)).steps.flatMap((step) => (step.kind === 'tool' ? [[step.executor, step.decision]] : []));
    expect(steps).toEqual(Array(5).fill(['slack', 'ok']));
    const tokens = new Set(t.stage.calls.map(({ token }) => token));
    expect(tokens.size).toBe(1);
    const [token = ''] = tokens;
    expect(token).toMatch(/^xoxp-/);
    expect(JSON.stringify([t.model.requests.map(({ body }) => body), answer.lines])).not.toContain(token);
  }, 30_000);

  it('takes a message once where the operator lets sends go', async () => {
    await policy('allow');
    let result = '';
    const answer = await t.turn([load, sending, { expect: (request) => void (result = lastResult(request)), text: 'Sent.' }], { messages });
    await policy(null);
    expect(JSON.parse(result)).toMatchObject({ channel: { name: '#web-relaunch' }, link: expect.stringContaining(channel), notes: [] });
    expect(t.stage.methods().filter((method) => method === 'chat.postMessage')).toHaveLength(1);
    expect(await posted()).toHaveLength(1);
    const step = (await t.route(answer.turn)).steps.find((each) => each.kind === 'tool');
    expect(step).toMatchObject({ tool: 'slack_send_message', effect: 'external', profile: 'slack', executor: 'slack', decision: 'ok' });
  }, 30_000);

  it.each([
    ['approves', 'approve', {}, 1],
    ['edits', 'edit', { arguments: { channel: '#web-relaunch', text: 'The relaunch moves to 17 April, we think.' } }, 1],
    ['denies', 'deny', { reason: 'Not yet.' }, 0],
  ] as const)(
    'takes no message before its user %s it, and then as they said',
    async (_does, decision, body, more) => {
      const before = (await posted()).length;
      t.model.extend([load, sending]);
      const answer = await readAnswer(await t.post('/v1/chat/completions', { model: modelId, stream: true, messages }));
      const { approvals } = (await (await t.get('/api/v1/approvals')).json()) as {
        approvals: { id: string; turn: string; tool: string; arguments: object }[];
      };
      const waiting = approvals.find(({ turn }) => turn === answer.turn)!;
      expect(waiting).toMatchObject({
        tool: 'slack_send_message',
        arguments: { channel: '#web-relaunch', text: 'The relaunch moves to 17 April.' },
      });
      expect(t.stage.calls).toEqual([]);
      let result = '';
      t.model.extend([{ expect: (request) => void (result = lastResult(request)), text: 'So be it.' }]);
      expect((await t.send('POST', `/api/v1/approvals/${waiting.id}/${decision}`, body)).status).toBe(200);
      await ended(answer.turn);
      t.model.assertConsumed();
      expect(await posted()).toHaveLength(before + more);
      expect(t.stage.methods().filter((method) => method === 'chat.postMessage')).toHaveLength(more);
      expect(result).toContain(more ? `/archives/${channel}/p` : 'Not yet.');
      if (decision === 'edit') expect((await posted())[0]!.text).toBe(body.arguments.text);
    },
    60_000,
  );

  it('that refuses the token is told to the user as a connection to make again', async () => {
    await t.turn([load, call('slack_read_channel', { channel }), { text: 'Fine.' }], { messages });
    t.stage.revoke(t.stage.calls.at(-1)!.token);
    let result = '';
    await t.turn(
      [
        load,
        call('slack_read_channel', { channel }),
        { expect: (request) => void (result = lastResult(request)), text: 'Connect it again.' },
      ],
      { messages },
    );
    expect(result).toMatch(/reconnect|[Cc]onnect/);
    expect(result).toMatch(/"refused"/);
  }, 30_000);
});
