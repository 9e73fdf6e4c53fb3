// Proves: a turn outlives its instance. Nothing that was done is done again, and what may have been done is asked after.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { repair } from '@skillgate/prompt/repair-history';
import type { ChatRequest } from '@skillgate/testing/script';
import { z } from 'zod';
import { type DurableHouse, newWho, outcomeOf, startDurableHouse, type Who } from './spec-support/durable-house.js';
import { gate } from './spec-support/turn-world.js';

/** What the executor did, in order: the effects of this house. */
const effects: string[] = [];
let whileSending = async (_what: string): Promise<void> => undefined;
const shape = { profile: 'docs', timeoutMs: 20_000, description: 'For these tests.', input: z.strictObject({ what: z.string() }) };
const mail = defineExecutor({
  name: 'mail',
  version: '1.0.0',
  tools: [
    defineTool({
      ...shape,
      name: 'mail_send',
      effect: 'external',
      async execute({ what }, { signal }) {
        effects.push(what);
        await whileSending(what);
        return { sent: what, stopped: signal.aborted };
      },
    }),
    defineTool({ ...shape, name: 'mail_read', effect: 'read', execute: async ({ what }) => ({ read: what }) }),
  ],
});

let house: DurableHouse;
let who: Who;
beforeAll(async () => {
  house = await startDurableHouse(mail);
}, 60_000);
afterAll(() => house?.stop(), 30_000);
beforeEach(() => {
  who = newWho();
  effects.length = 0;
  whileSending = async () => undefined;
  Object.assign(house, { grantMs: 60_000, beforeGrant: async () => undefined });
});
afterEach(() => house.model.assertConsumed());

const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };
const send = (what = 'A') => ({ toolCalls: [{ name: 'mail_send', arguments: { what } }] });
const read = { toolCalls: [{ name: 'mail_read', arguments: { what: 'inbox' } }] };
const lastResult = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool').at(-1)?.content;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const history = async () =>
  (await house.world.sql<{ item: Parameters<typeof repair>[0][number] }>(who.account, 'SELECT item FROM chat_items WHERE chat = $1 ORDER BY seq', [who.chat])).map(({ item }) => item);

/** An instance that begins the turn and stands still when `moment` comes, and one that takes it over. */
async function twoInstances(moment: Promise<void>) {
  const first = await house.instance();
  const second = await house.instance();
  const heard = await house.follow(who);
  await first.ask(who);
  await moment;
  first.freeze();
  await house.world.lapse(who as never);
  second.takesOver();
  return { first, second, heard };
}
const tail = (logged: string[]) => logged.join('');

describe('a turn whose instance stands still', () => {
  it('in a model call is gone on with, and finished steps are not done again', async () => {
    const hold = gate();
    house.script([load, read, { text: ['Half an ', hold.wait, 'answer'] }, { text: 'A whole answer', expect: (request) => expect(lastResult(request)).toContain('inbox') }]);
    const { first, second, heard } = await twoInstances(hold.arrived);
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'A whole answer' } });
    expect(steps.map(({ kind }) => kind)).toEqual(['model', 'load', 'model', 'tool', 'model']);
    hold.open();
    await first.turns.drain(5_000);
    expect(tail(first.logged)).toContain('taken over by another instance');
    expect(tail(second.logged)).toContain('was taken over');
    expect(await house.world.store.get(who.account, who.turn)).toMatchObject({ outcome: { answer: 'A whole answer' } });
    expect(heard.filter(({ body }) => body.type === 'ended')).toMatchObject([{ attempt: 2, body: { outcome: { status: 'finished' } } }]);
    expect(repair(await history()).repairs).toEqual([]);
  }, 30_000);

  it('says again what its finished rounds said, under the new attempt, and the answer is all of it', async () => {
    const hold = gate();
    house.script([{ ...load, text: 'Let me look.' }, { ...read, text: 'One moment.' }, { text: [hold.wait] }, { text: 'Here it is.' }]);
    const { heard } = await twoInstances(hold.arrived);
    const { turn } = await outcomeOf(house.world, who);
    const textOf = (attempt: number) => heard.map((message) => (message.attempt === attempt && message.body.type === 'delta' ? message.body.text : '')).join('');
    await pause(50);
    expect(textOf(2)).toBe('Let me look.\n\nOne moment.\n\nHere it is.');
    expect(turn.outcome?.answer).toBe(textOf(2));
    hold.open();
  }, 30_000);

  it('and whose user cancelled it meanwhile ends as cancelled', async () => {
    const hold = gate();
    house.script([load, { text: [hold.wait] }]);
    const first = await house.instance();
    const second = await house.instance();
    await first.ask(who);
    await hold.arrived;
    first.freeze();
    await house.world.store.requestCancel(who.account, who.turn);
    await house.world.lapse(who as never);
    second.takesOver();
    expect((await outcomeOf(house.world, who)).turn).toMatchObject({ status: 'cancelled', attempt: 2 });
    hold.open();
  }, 30_000);

  it('counts its time from its beginning, not from its takeover', async () => {
    const hold = gate();
    house.script([{ text: [hold.wait] }]);
    const first = await house.instance();
    await first.ask(who);
    await hold.arrived;
    first.freeze();
    await house.world.sql(who.account, `UPDATE turns SET lease_until = now() - interval '1 second', started_at = now() - interval '20 minutes' WHERE id = $1`, [who.turn]);
    (await house.instance()).takesOver();
    expect((await outcomeOf(house.world, who)).turn).toMatchObject({ attempt: 2, outcome: { status: 'finished', limit: 'time', answer: expect.stringContaining('limit of 600 s') } });
    hold.open();
  }, 30_000);

  it('is given up, clearly, when it went down with too many', async () => {
    const hold = gate();
    house.script([{ text: [hold.wait] }]);
    const first = await house.instance();
    await first.ask(who);
    await hold.arrived;
    first.freeze();
    const heard = await house.follow(who);
    await house.world.sql(who.account, `UPDATE turns SET lease_until = now() - interval '1 second', attempt = 10 WHERE id = $1`, [who.turn]);
    (await house.instance()).takesOver();
    expect((await outcomeOf(house.world, who)).turn).toMatchObject({ status: 'failed', outcome: { error: { slug: 'turn-interrupted' } } });
    await pause(50);
    expect(heard.at(-1)).toMatchObject({ attempt: 11, body: { type: 'ended' } });
    expect((await history()).at(-1)).toMatchObject({ kind: 'assistant', calls: [] });
    hold.open();
  }, 30_000);
});

describe('a call with effects, when its turn is taken over', () => {
  it('between its intent and its sending is made by the second instance, and the first, when it wakes, is refused', async () => {
    const paused = gate();
    house.script([load, send(), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"A"') }]);
    // Grants that are always too old: each call fetches one behind its intent, and the first waits for it.
    house.grantMs = 0;
    let asked = 0;
    house.beforeGrant = async () => {
      asked += 1;
      if (asked === 2) await paused.wait(); // the load's was the first
    };
    const { first } = await twoInstances(paused.arrived);
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Sent.' } });
    expect(effects).toEqual(['A']);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ tool: 'mail_send', decision: 'ok' }]);
    paused.open(); // it wakes with a grant in hand, and sends
    await first.turns.drain(5_000);
    expect(effects).toEqual(['A']);
    expect(tail(first.logged)).toContain('taken over by another instance');
    expect(repair(await history()).repairs).toEqual([]);
  }, 30_000);

  it('while it runs is waited for and not made again', async () => {
    const sending = gate();
    whileSending = sending.wait;
    house.script([load, send('B'), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"B","stopped":false') }]);
    await twoInstances(sending.arrived);
    await pause(300);
    sending.open();
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2 });
    expect(effects).toEqual(['B']);
    expect(steps.at(-2)).toMatchObject({ kind: 'tool', tool: 'mail_send', executor: 'mail', effect: 'external', skill: 'memo@1.0.0', decision: 'ok' });
  }, 30_000);

  it('that ran, and whose result no commit holds, has the result that its executor recorded', async () => {
    const hold = gate();
    house.script([load, send('C'), { text: [hold.wait] }, { text: 'Sent.' }]);
    const first = await house.instance();
    await first.ask(who);
    await hold.arrived; // the model works on the next answer; take the round's commit back, as if it had not come
    first.freeze();
    await undoRound();
    (await house.instance()).takesOver();
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Sent.' } });
    expect(effects).toEqual(['C']);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'ok' }]);
    hold.open();
  }, 30_000);

  it('stays recorded when the turn ends as cancelled', async () => {
    const sending = gate();
    whileSending = sending.wait;
    house.script([load, send('D')]);
    const first = await house.instance();
    await first.ask(who);
    await sending.arrived;
    first.freeze();
    await house.world.store.requestCancel(who.account, who.turn);
    await house.world.lapse(who as never);
    (await house.instance()).takesOver();
    await pause(200);
    sending.open();
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'cancelled' });
    expect(steps.at(-1)).toMatchObject({ kind: 'tool', tool: 'mail_send', decision: 'ok' });
    expect((await history()).filter(({ kind }) => kind === 'result').at(-1)).toMatchObject({ content: expect.stringContaining('"sent":"D"') });
    expect(repair(await history()).repairs).toEqual([]);
  }, 30_000);
});

/** Brings the journal back to where the intents of the turn's last round stood. */
async function undoRound(): Promise<void> {
  for (let tries = 0; (await history()).filter(({ kind }) => kind === 'result').length < 2; tries += 1) {
    if (tries > 200) throw new Error('the round was not committed');
    await pause(10);
  }
  const items = await history();
  const round = items.findLastIndex((item) => item.kind === 'assistant' && item.calls.length > 0);
  const item = items[round] as { text: string; calls: { id: string }[] };
  const intent = { sentAs: item.calls[0]!.id, executor: 'mail', tool: 'mail_send', effect: 'external', profile: 'docs', skill: 'memo@1.0.0' };
  const open = JSON.stringify({ text: item.text, calls: item.calls, intents: { [item.calls[0]!.id]: intent } });
  await house.world.sql(who.account, 'DELETE FROM chat_items WHERE chat = $1 AND seq >= $2', [who.chat, round]);
  await house.world.sql(who.account, `DELETE FROM turn_steps WHERE turn = $1 AND step ->> 'kind' = 'tool'`, [who.turn]);
  await house.world.sql(who.account, `UPDATE turns SET round = $2, lease_until = now() - interval '1 second' WHERE id = $1`, [who.turn, open]);
}

describe('a drain', () => {
  it('hands over what does not end in time, and another instance finishes it at once', async () => {
    const hold = gate();
    house.script([load, { text: ['Half ', hold.wait] }, { text: 'Whole.' }]);
    const [first, second] = [await house.instance(), await house.instance()];
    second.takesOver();
    await first.ask(who);
    await hold.arrived;
    const began = Date.now();
    expect(await first.turns.drain(1_000)).toBe(1);
    const { turn } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Whole.' } });
    expect(Date.now() - began).toBeLessThan(3_000); // the lease alone has as much
    expect(tail(first.logged)).toContain('a turn was handed over');
    hold.open();
  }, 30_000);

  it('does not stop a call with effects: its result is found by the next instance', async () => {
    const sending = gate();
    whileSending = sending.wait;
    house.script([load, send('E'), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"E","stopped":false') }]);
    const [first, second] = [await house.instance(), await house.instance()];
    second.takesOver();
    await first.ask(who);
    await sending.arrived;
    await first.turns.drain(250);
    await pause(300);
    sending.open();
    expect((await outcomeOf(house.world, who)).turn).toMatchObject({ status: 'finished', attempt: 2 });
    expect(effects).toEqual(['E']);
  }, 30_000);
});

describe('a call with effects whose answer was lost', () => {
  it('because its user cancelled is stopped, and what became of it is recorded', async () => {
    const sending = gate();
    whileSending = sending.wait;
    house.script([load, send('F')]);
    const first = await house.instance();
    await first.ask(who);
    await sending.arrived;
    first.turns.cancel(who.turn, Object.assign(new Error('cancelled'), { kind: 'refusal', slug: 'turn-cancelled' }));
    await pause(100);
    sending.open(); // the tool did not listen: it ends with its effect
    const { turn, steps } = await outcomeOf(house.world, who);
    expect(turn).toMatchObject({ status: 'cancelled' });
    expect(steps.at(-1)).toMatchObject({ kind: 'tool', decision: 'ok' });
    expect((await history()).filter(({ kind }) => kind === 'result').at(-1)).toMatchObject({ content: expect.stringContaining('"stopped":true') });
  }, 30_000);
});
