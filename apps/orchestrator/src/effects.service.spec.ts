// Proves: what may have been done is asked after and never done twice, however a turn changes hands or ends.
import { describe, expect, it } from '@jest/globals';
import { repair } from '@skillgate/prompt/repair-history';
import type { ChatRequest } from '@skillgate/testing/script';
import { outcomeOf } from './spec-support/durable-house.js';
import { load, mailHouse, pause, send } from './spec-support/mail-house.js';
import { gate } from './spec-support/turn-world.js';

const t = mailHouse();
const lastResult = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool').at(-1)?.content;

describe('a call with effects, when its turn is taken over', () => {
  it('between its intent and its sending is made by the second instance, and the first, when it wakes, is refused', async () => {
    const paused = gate();
    t.house.script([load, send('A'), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"A"') }]);
    // Grants that are always too old: each call fetches one behind its intent, and the first waits for it.
    t.house.grantMs = 0;
    let asked = 0;
    t.house.beforeGrant = async () => {
      asked += 1;
      if (asked === 2) await paused.wait(); // the load's was the first
    };
    const { first } = await t.twoInstances(paused.arrived);
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Sent.' } });
    expect(t.effects).toEqual(['A']);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ tool: 'mail_send', decision: 'ok' }]);
    paused.open(); // it wakes with a grant in hand, and sends
    await first.turns.drain(5_000);
    expect(t.effects).toEqual(['A']);
    expect(first.logged.join('')).toContain('taken over by another instance');
    expect(repair(await t.history()).repairs).toEqual([]);
  }, 30_000);

  it('while it runs is waited for and not made again', async () => {
    const sending = gate();
    t.whileSending = sending.wait;
    t.house.script([load, send('B'), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"B","stopped":false') }]);
    await t.twoInstances(sending.arrived);
    await pause(300);
    sending.open();
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2 });
    expect(t.effects).toEqual(['B']);
    expect(steps.at(-2)).toMatchObject({ kind: 'tool', tool: 'mail_send', executor: 'mail', effect: 'external', skill: 'memo@1.0.0', decision: 'ok' });
  }, 30_000);

  it('that ran, and whose result no commit holds, has the result that its executor recorded', async () => {
    const hold = gate();
    t.house.script([load, send('C'), { text: [hold.wait] }, { text: 'Sent.' }]);
    const first = await t.house.instance();
    await first.ask(t.who);
    await hold.arrived; // the model works on the next answer; take the round's commit back, as if it had not come
    first.freeze();
    await undoRound();
    (await t.house.instance()).takesOver();
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Sent.' } });
    expect(t.effects).toEqual(['C']);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'ok' }]);
    hold.open();
  }, 30_000);

  it('stays recorded when the turn ends as cancelled', async () => {
    const sending = gate();
    t.whileSending = sending.wait;
    t.house.script([load, send('D')]);
    const first = await t.house.instance();
    await first.ask(t.who);
    await sending.arrived;
    first.freeze();
    await t.house.world.store.requestCancel(t.who, t.who.turn);
    await t.house.world.lapse(t.who);
    (await t.house.instance()).takesOver();
    await pause(200);
    sending.open();
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'cancelled' });
    expect(steps.at(-1)).toMatchObject({ kind: 'tool', tool: 'mail_send', decision: 'ok' });
    expect((await t.history()).filter(({ kind }) => kind === 'result').at(-1)).toMatchObject({ content: expect.stringContaining('"sent":"D"') });
    expect(repair(await t.history()).repairs).toEqual([]);
  }, 30_000);
});

describe('a drain', () => {
  it('hands over what does not end in time, and another instance finishes it at once', async () => {
    const hold = gate();
    t.house.script([load, { text: ['Half ', hold.wait] }, { text: 'Whole.' }]);
    const [first, second] = [await t.house.instance(), await t.house.instance()];
    second.takesOver();
    await first.ask(t.who);
    await hold.arrived;
    const began = Date.now();
    expect(await first.turns.drain(1_000)).toBe(1);
    const { turn } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'Whole.' } });
    expect(Date.now() - began).toBeLessThan(3_000); // the lease alone has as much
    expect(first.logged.join('')).toContain('a turn was handed over');
    hold.open();
  }, 30_000);

  it('does not stop a call with effects: its result is found by the next instance', async () => {
    const sending = gate();
    t.whileSending = sending.wait;
    t.house.script([load, send('E'), { text: 'Sent.', expect: (request) => expect(lastResult(request)).toContain('"sent":"E","stopped":false') }]);
    const [first, second] = [await t.house.instance(), await t.house.instance()];
    second.takesOver();
    await first.ask(t.who);
    await sending.arrived;
    await first.turns.drain(250);
    await pause(300);
    sending.open();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ status: 'finished', attempt: 2 });
    expect(t.effects).toEqual(['E']);
  }, 30_000);
});

describe('a call with effects whose answer was lost', () => {
  it('because its user cancelled is stopped, and what became of it is recorded', async () => {
    const sending = gate();
    t.whileSending = sending.wait;
    t.house.script([load, send('F')]);
    const first = await t.house.instance();
    await first.ask(t.who);
    await sending.arrived;
    first.turns.cancel(t.who.turn, Object.assign(new Error('cancelled'), { kind: 'refusal', slug: 'turn-cancelled' }));
    await pause(100);
    sending.open(); // the tool did not listen: it ends with its effect
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'cancelled' });
    expect(steps.at(-1)).toMatchObject({ kind: 'tool', decision: 'ok' });
    expect((await t.history()).filter(({ kind }) => kind === 'result').at(-1)).toMatchObject({ content: expect.stringContaining('"stopped":true') });
  }, 30_000);
});

/** Brings the journal back to where the intents of the turn's last round stood. */
async function undoRound(): Promise<void> {
  for (let tries = 0; (await t.history()).filter(({ kind }) => kind === 'result').length < 2; tries += 1) {
    if (tries > 200) throw new Error('the round was not committed');
    await pause(10);
  }
  const items = await t.history();
  const round = items.findLastIndex((item) => item.kind === 'assistant' && item.calls.length > 0);
  const item = items[round] as { text: string; calls: { id: string }[] };
  const intent = { sentAs: item.calls[0]!.id, executor: 'mail', tool: 'mail_send', effect: 'external', profile: 'docs', skill: 'memo@1.0.0' };
  const open = JSON.stringify({ text: item.text, calls: item.calls, intents: { [item.calls[0]!.id]: intent } });
  await t.house.world.sql(t.who.account, 'DELETE FROM chat_items WHERE chat = $1 AND seq >= $2', [t.who.chat, round]);
  await t.house.world.sql(t.who.account, `DELETE FROM turn_steps WHERE turn = $1 AND step ->> 'kind' = 'tool'`, [t.who.turn]);
  await t.house.world.sql(t.who.account, `UPDATE turns SET round = $2, lease_until = now() - interval '1 second' WHERE id = $1`, [t.who.turn, open]);
}
