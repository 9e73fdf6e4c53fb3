// Proves: a turn outlives its instance. Nothing that was done is done again, and its reader is told of it.
import { describe, expect, it } from '@jest/globals';
import { repair } from '@skillgate/prompt/repair-history';
import type { ChatRequest } from '@skillgate/testing/script';
import { outcomeOf } from './spec-support/durable-house.js';
import { load, mailHouse, pause, read } from './spec-support/mail-house.js';
import { gate } from './spec-support/turn-world.js';

const t = mailHouse();
const lastResult = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool').at(-1)?.content;

describe('a turn whose instance stands still', () => {
  it('in a model call is gone on with, and finished steps are not done again', async () => {
    const hold = gate();
    t.house.script([load, read, { text: ['Half an ', hold.wait, 'answer'] }, { text: 'A whole answer', expect: (request) => expect(lastResult(request)).toContain('inbox') }]);
    const { first, second, heard } = await t.twoInstances(hold.arrived);
    const { turn, steps } = await outcomeOf(t.house.world, t.who);
    expect(turn).toMatchObject({ status: 'finished', attempt: 2, outcome: { answer: 'A whole answer' } });
    expect(steps.map(({ kind }) => kind)).toEqual(['model', 'load', 'model', 'tool', 'model']);
    hold.open();
    await first.turns.drain(5_000);
    expect(first.logged.join('')).toContain('taken over by another instance');
    expect(second.logged.join('')).toContain('was taken over');
    expect(await t.house.world.store.get(t.who, t.who.turn)).toMatchObject({ outcome: { answer: 'A whole answer' } });
    expect(heard.filter(({ body }) => body.type === 'ended')).toMatchObject([{ attempt: 2, body: { outcome: { status: 'finished' } } }]);
    expect(repair(await t.history()).repairs).toEqual([]);
  }, 30_000);

  it('says again what its finished rounds said, under the new attempt, and the answer is all of it', async () => {
    const hold = gate();
    t.house.script([{ ...load, text: 'Let me look.' }, { ...read, text: 'One moment.' }, { text: [hold.wait] }, { text: 'Here it is.' }]);
    const { heard } = await t.twoInstances(hold.arrived);
    const { turn } = await outcomeOf(t.house.world, t.who);
    const textOf = (attempt: number) => heard.map((message) => (message.attempt === attempt && message.body.type === 'delta' ? message.body.text : '')).join('');
    await pause(50);
    expect(textOf(2)).toBe('Let me look.\n\nOne moment.\n\nHere it is.');
    expect(turn.outcome?.answer).toBe(textOf(2));
    hold.open();
  }, 30_000);

  it('and whose user cancelled it meanwhile ends as cancelled', async () => {
    const hold = gate();
    t.house.script([load, { text: [hold.wait] }]);
    const first = await t.house.instance();
    const second = await t.house.instance();
    await first.ask(t.who);
    await hold.arrived;
    first.freeze();
    await t.house.world.store.requestCancel(t.who, t.who.turn);
    await t.house.world.lapse(t.who);
    second.takesOver();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ status: 'cancelled', attempt: 2 });
    hold.open();
  }, 30_000);

  it('counts its time from its beginning, not from its takeover', async () => {
    const hold = gate();
    t.house.script([{ text: [hold.wait] }]);
    const first = await t.house.instance();
    await first.ask(t.who);
    await hold.arrived;
    first.freeze();
    await t.house.world.sql(t.who.account, `UPDATE turns SET lease_until = now() - interval '1 second', started_at = now() - interval '20 minutes' WHERE id = $1`, [t.who.turn]);
    (await t.house.instance()).takesOver();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ attempt: 2, outcome: { status: 'finished', limit: 'time', answer: expect.stringContaining('limit of 600 s') } });
    hold.open();
  }, 30_000);

  it('is given up, clearly, when it went down with too many', async () => {
    const hold = gate();
    t.house.script([{ text: [hold.wait] }]);
    const first = await t.house.instance();
    await first.ask(t.who);
    await hold.arrived;
    first.freeze();
    const heard = await t.house.follow(t.who);
    await t.house.world.sql(t.who.account, `UPDATE turns SET lease_until = now() - interval '1 second', attempt = 10 WHERE id = $1`, [t.who.turn]);
    (await t.house.instance()).takesOver();
    expect((await outcomeOf(t.house.world, t.who)).turn).toMatchObject({ status: 'failed', outcome: { error: { slug: 'turn-interrupted' } } });
    await pause(50);
    expect(heard.at(-1)).toMatchObject({ attempt: 11, body: { type: 'ended' } });
    expect((await t.history()).at(-1)).toMatchObject({ kind: 'assistant', calls: [] });
    hold.open();
  }, 30_000);
});
