// Proves: a turn ends with an answer or a clear error, whatever is taken away from under it. Never a hang.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelId, readAnswer, startTestHouse, type TestHouse } from './test-house.fixture.js';

const messages = [{ role: 'user', content: 'Tell me.' }];

/** A place in a model's answer where the test does something. */
function gate() {
  let reached = () => undefined as void;
  let open = () => undefined as void;
  const arrived = new Promise<void>((resolve) => (reached = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const wait = () => {
    reached();
    return opened;
  };
  return { arrived, open, wait };
}

describe('an interrupted turn', () => {
  let t: TestHouse;
  beforeAll(async () => {
    t = await startTestHouse({ SKILLGATE_MODEL_STALL_MS: '1500', SKILLGATE_CANCEL_GRACE_MS: '200' });
  }, 60_000);
  afterAll(() => t.stop());

  const start = (body: object = {}) => t.post('/v1/chat/completions', { model: modelId, stream: true, messages, ...body });

  it('outlives a NATS server that is killed and comes back', async () => {
    const { arrived, open, wait } = gate();
    t.model.extend([{ text: ['One ', wait, 'two.'] }]);
    const response = await start();
    await arrived;
    await t.house.nats.kill();
    await t.house.nats.restart();
    open();
    const answer = await readAnswer(response);
    const failed = answer.chunks.find((chunk) => chunk.error);
    if (failed) expect(failed.error?.message).toMatch(/\w/);
    else expect(answer.text).toBe('One two.');
    t.model.assertConsumed();
  }, 60_000);

  it('is told within seconds when NATS stays away, and the health route says so', async () => {
    const { arrived, open, wait } = gate();
    t.model.extend([{ text: ['One ', wait, 'two.'] }]);
    const response = await start();
    await arrived;
    await t.house.nats.kill();
    open();
    const health = await fetch(`${t.house.url}/health/ready`);
    expect(health.status).toBe(503);
    expect(await health.text()).toContain('nats');
    const refused = await start();
    expect(refused.status).toBe(503);
    await t.house.nats.restart();
    const answer = await readAnswer(response);
    expect(answer.text === 'One two.' || answer.chunks.some((chunk) => chunk.error)).toBe(true);
    t.model.assertConsumed();
  }, 60_000);

  it('works again after that', async () => {
    const answer = await t.turn([{ text: 'Here I am.' }], { messages });
    expect(answer.text).toBe('Here I am.');
  }, 30_000);

  it('a second turn in a busy chat gets 409 and the first goes on', async () => {
    const { arrived, open, wait } = gate();
    t.model.extend([{ text: 'First.' }, { text: ['Still ', wait, 'here.'] }]);
    const { chat } = await readAnswer(await start());
    const busy = await start({ skillgate: { chat_id: chat } });
    await arrived;
    const second = await start({ skillgate: { chat_id: chat } });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: 'turn-in-progress' } });
    open();
    expect((await readAnswer(busy)).text).toBe('Still here.');
    t.model.assertConsumed();
  });

  it('a cancelled turn stops its model call, keeps what was said, and frees the chat', async () => {
    const { arrived, open, wait } = gate();
    t.model.extend([{ text: ['A long ', wait, 'story.'] }]);
    const response = await start();
    const [turn, chat] = [response.headers.get('x-skillgate-turn') ?? '', response.headers.get('x-skillgate-chat') ?? ''];
    await arrived;
    expect((await t.post(`/api/v1/turns/${turn}/cancel`, {})).status).toBeLessThan(300);
    const answer = await readAnswer(response);
    expect(answer.chunks.some((chunk) => chunk.error?.code === 'turn-cancelled')).toBe(true);
    expect(t.model.requests.at(-1)?.abandoned).toBe(true);
    open();
    expect((await t.route(turn)).status).toBe('cancelled');
    const next = await t.turn([{ text: 'On we go.' }], { messages, skillgate: { chat_id: chat } });
    expect(next.text).toBe('On we go.');
    expect(t.model.requests.at(-1)?.body).toContain('A long ');
  });

  it('a client that hangs up cancels its turn', async () => {
    const { arrived, open, wait } = gate();
    t.model.extend([{ text: ['Nobody ', wait, 'listens.'] }]);
    const leave = new AbortController();
    const response = await fetch(`${t.house.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leave.signal,
      headers: { authorization: `Bearer ${t.house.keys.pro}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: modelId, stream: true, messages }),
    });
    const turn = response.headers.get('x-skillgate-turn') ?? '';
    await arrived;
    leave.abort();
    const ended = async () => (await t.route(turn)).status;
    for (const until = Date.now() + 10_000; (await ended()) === 'running' && Date.now() < until; ) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ended()).toBe('cancelled');
    open();
  }, 20_000);

  it.each([
    ['a model that answers 400', [{ error: { status: 400, message: 'secret words of the vendor' } }], 'model-refused-request'],
    ['a model that stays overloaded', Array(3).fill({ error: { status: 503 } }), 'model-overloaded'],
    ['a model that hangs up in mid-answer', [{ text: ['Half '], cut: 2 }], 'model-cut'],
    ['a model that says nothing each time', Array(3).fill({ text: '' }), 'model-empty'],
    ['a model that stalls', [{ text: ['Half ', () => new Promise((resolve) => setTimeout(resolve, 2_500)), 'more'] }], 'model-stalled'],
  ])('%s ends the turn with a clear error', async (_, script, slug) => {
    t.model.extend(script);
    const answer = await readAnswer(await start());
    const failed = answer.chunks.find((chunk) => chunk.error);
    expect(failed?.error?.code).toContain(slug);
    expect(JSON.stringify(failed)).not.toContain('secret words');
    expect((await t.route(answer.turn)).status).toBe('failed');
    t.model.assertConsumed();
  }, 20_000);
});
