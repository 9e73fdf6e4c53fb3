// Proves: a client that sends its whole transcript goes on with its chat and what that has loaded, and a request with a key is made once.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReplicatedHouse, startReplicatedHouse } from './replicated-house.fixture.js';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

interface Message {
  role: string;
  content: unknown;
  [key: string]: unknown;
}
interface Completion {
  choices: [{ message: Message & { tool_calls?: { id: string }[] }; finish_reason: string }];
  skillgate: { turn: string; chat: string };
}
const user = (content: string): Message => ({ role: 'user', content });
/** A place in the model's answer where the test does something. */
function gate() {
  let [reach, open] = [() => undefined as void, () => undefined as void];
  const arrived = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { arrived, open: () => open(), wait: () => (reach(), opened) };
}
const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'meeting-notes' } }] };

describe.each(['expand', 'dispatch'])('a client that sends its whole transcript, in plan %s', (plan) => {
  let t: TestHouse;
  let serial = 0;
  beforeAll(async () => {
    t = await startTestHouse({ SKILLGATE_PLAN: plan });
  }, 60_000);
  afterAll(() => t.stop());

  /** Adds the answer to the transcript, as clients do. */
  async function ask(messages: Message[], more: object = {}, key?: string) {
    const response = await t.post('/v1/chat/completions', { model: modelId, messages, ...more }, key);
    expect(response.status).toBe(200);
    const { choices, skillgate } = (await response.json()) as Completion;
    const { recognised, steps } = await t.route(skillgate.turn, key);
    return { ...skillgate, recognised, steps, messages: [...messages, choices[0].message], message: choices[0].message };
  }
  const begin = async (answer = `Answer ${++serial}.`) => {
    t.model.extend([load, { text: answer }]);
    return ask([{ role: 'system', content: 'Be brief.' }, user(`Question ${serial}`)]);
  };
  const sentRoles = () => t.model.requests.at(-1)!.json.messages.map(({ role }) => role);

  it('goes on with its chat, and the loaded skill lives on', async () => {
    const first = await begin();
    expect(first.recognised).toEqual({ how: 'new' });
    const before = t.model.requests.at(-1)!.json;
    t.model.extend([{ toolCalls: [{ name: 'docs_write_text', arguments: { file_name: 'a.md', content: '# A' } }] }, { text: 'Written.' }]);
    const second = await ask([...first.messages, user('Write it down.')]);
    expect(second).toMatchObject({ chat: first.chat, recognised: { how: 'continued' } });
    expect(second.steps).toContainEqual(expect.objectContaining({ kind: 'tool', tool: 'docs_write_text', decision: 'ok' }));
    expect(JSON.stringify(t.model.requests.at(-1)!.json.messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
    t.model.extend([{ text: 'Yes.' }]);
    expect(await ask([...second.messages, user('Sure?')])).toMatchObject({ chat: first.chat, recognised: { how: 'continued' } });
    t.model.assertConsumed();
  });

  it('leaves the chat when it says something else than before', async () => {
    const first = await begin();
    t.model.extend([{ text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }]);
    const second = await ask([...first.messages, user('And?')]);
    const again = await ask([...first.messages, user('And?')]);
    expect(again.recognised).toEqual({ how: 'forked', from: first.chat });
    expect(again.chat).not.toBe(first.chat);
    const edited = [...second.messages.slice(0, -1), { role: 'assistant', content: 'Another.' }, user('Go on')];
    expect((await ask(edited)).recognised).toEqual({ how: 'forked', from: first.chat });
    expect(sentRoles().filter((role) => role === 'user')).toHaveLength(3);
    t.model.assertConsumed();
  });

  it('is a new chat where several fit, and where another has said the same', async () => {
    const first = await begin('Same.');
    t.model.extend([load, { text: 'Same.' }]);
    await ask(first.messages.slice(0, 2));
    t.model.extend([{ text: 'So.' }, { text: 'So.' }]);
    expect((await ask([...first.messages, user('Which?')])).recognised).toEqual({ how: 'ambiguous' });
    expect((await ask([...first.messages, user('Whose?')], {}, t.house.keys.free)).recognised).toEqual({ how: 'new' });
    t.model.assertConsumed();
  });

  it('goes on with results of its own tools, beside what it never saw of ours', async () => {
    const tools = [{ type: 'function', function: { name: 'get_weather' } }];
    serial += 1;
    t.model.extend([{ toolCalls: [...load.toolCalls, { name: 'get_weather' }] }, { text: 'It rains.' }]);
    const first = await ask([user(`Weather ${serial}`)], { tools });
    const result = { role: 'tool', content: 'rain', tool_call_id: first.message.tool_calls![0]!.id };
    const second = await ask([...first.messages, result], { tools });
    expect(second).toMatchObject({ chat: first.chat, recognised: { how: 'continued' } });
    const { messages } = t.model.requests.at(-1)!.json;
    expect(JSON.stringify(messages.map(({ tool_calls }) => tool_calls))).toContain('load_skill');
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)).join()).not.toContain('not-run');
    t.model.assertConsumed();
  });

  it('of two that go on at once one does, and the other leaves the chat', async () => {
    const first = await begin();
    t.model.extend([{ text: 'A.', delayMs: 200 }, { text: 'B.', delayMs: 200 }]);
    const both = await Promise.all(['x', 'y'].map((word) => ask([...first.messages, user(word)])));
    expect(both.map(({ recognised }) => recognised?.how).sort()).toEqual(['continued', 'forked']);
    t.model.assertConsumed();
  });
});

describe('a request with an Idempotency-Key', () => {
  let t: TestHouse;
  beforeAll(async () => {
    t = await startTestHouse();
  }, 60_000);
  afterAll(() => t.stop());
  const send = (key: string, more: object = {}, bearer = t.house.keys.pro) =>
    fetch(`${t.house.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ model: modelId, messages: [user('Hello')], ...more }),
    });

  it('is made once: the first answer comes again, whole and streamed', async () => {
    t.model.extend([{ text: 'Once.' }]);
    const [first, again] = [await send('one'), await send('one')];
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    const [a, b] = (await Promise.all([first.json(), again.json()])) as [Completion, Completion];
    expect(b.choices).toEqual(a.choices);
    expect(b.skillgate.turn).toBe(a.skillgate.turn);

    t.model.extend([{ text: ['On', 'ce.'] }]);
    const [live, told] = [await (await send('two', { stream: true })).text(), await (await send('two', { stream: true })).text()];
    const contents = (text: string) => [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    expect([contents(live), contents(told)]).toEqual(['Once.', 'Once.']);
    t.model.assertConsumed();
  });

  it('that comes again while it runs reads along', async () => {
    const hold = gate();
    t.model.extend([{ text: ['Slow', hold.wait, 'ly.'] }]);
    const first = send('three');
    await hold.arrived;
    const again = Promise.all([send('three'), send('three')]);
    setTimeout(hold.open, 200);
    const answers = (await Promise.all([first, ...(await again)].map(async (one) => (await one).json()))) as Completion[];
    expect(answers.map(({ choices }) => choices[0].message.content)).toEqual(['Slowly.', 'Slowly.', 'Slowly.']);
    expect(new Set(answers.map(({ skillgate }) => skillgate.turn)).size).toBe(1);
    t.model.assertConsumed();
  });

  it('that comes five times at once is made once', async () => {
    t.model.extend([{ text: 'Once.', delayMs: 100 }]);
    const answers = (await Promise.all(Array.from({ length: 5 }, async () => (await send('four')).json()))) as Completion[];
    expect(new Set(answers.map(({ skillgate }) => skillgate.turn)).size).toBe(1);
    t.model.assertConsumed();
  });

  it('is refused with another body, and is that of no other account', async () => {
    t.model.extend([{ text: 'Mine.' }, { text: 'Theirs.' }]);
    await (await send('five')).text();
    const other = await send('five', { temperature: 1 });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ error: { code: 'idempotency-key-reused' } });
    const theirs = (await (await send('five', {}, t.house.keys.free)).json()) as Completion;
    expect(theirs.choices[0].message.content).toBe('Theirs.');
    t.model.assertConsumed();
  });

  it.each([
    ['empty', ''],
    ['in two words', 'a b'],
    ['too long', 'x'.repeat(256)],
  ])('is refused when its key is %s', async (_what, key) => {
    const response = await send(key);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: 'Idempotency-Key' } });
  });
});

describe('a request that comes to two gateways at once', () => {
  let t: ReplicatedHouse;
  beforeAll(async () => {
    t = await startReplicatedHouse();
  }, 90_000);
  afterAll(() => t.stop());

  it('is made once, and both give its answer', async () => {
    const { key } = await t.account('pro');
    t.model.extend([{ text: 'Once.', delayMs: 200 }]);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'race' };
    const body = JSON.stringify({ model: modelId, messages: [user('Hello')] });
    const send = async (url: string) => (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).json();
    const answers = (await Promise.all([...t.house.urls, ...t.house.urls].map(send))) as Completion[];
    expect(answers.map(({ choices }) => choices[0].message.content)).toEqual(answers.map(() => 'Once.'));
    expect(new Set(answers.map(({ skillgate }) => skillgate.turn)).size).toBe(1);
    t.model.assertConsumed();
  });
});
