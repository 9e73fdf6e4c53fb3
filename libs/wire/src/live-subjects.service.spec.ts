import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Announcement } from '@skillgate/contracts/tool-manifest';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

const delta = (n: number, text = String(n)): TurnMessage => ({ attempt: 1, n, body: { type: 'delta', text } });
const announcement: Announcement = { executor: 'docs', version: '1.0.0', instance: 'i1', state: 'serving', tools: [] };

describe('live subjects', () => {
  let house: TestHouse;
  let writer: Wire;
  let reader: Wire;
  let turn: string;

  beforeAll(async () => {
    const none = { serves: [], calls: [], emits: [], hears: [] };
    house = await startHouse([
      { service: 'writer', ...none, publishes: ['turn.v1.*', 'announce.v1.*', 'progress.v1.*.*'] },
      { service: 'reader', ...none, subscribes: ['turn.v1.*', 'announce.v1.*', 'progress.v1.*.*'] },
    ]);
    [writer, reader] = await Promise.all([house.wire('writer'), house.wire('reader')]);
  });
  beforeEach(() => {
    turn = crypto.randomUUID();
    house.lines.length = 0;
  });
  afterAll(() => house.stop());

  it("carry a turn's messages in order to every reader of that turn, and to no other", async () => {
    const heard: number[][] = [[], []];
    for (const list of heard) await reader.subscribeTurn(turn, ({ n }) => list.push(n)).ready;
    const other: number[] = [];
    await reader.subscribeTurn(crypto.randomUUID(), ({ n }) => other.push(n)).ready;
    for (let n = 0; n < 100; n += 1) writer.publishTurn(turn, delta(n));
    await until(() => heard.every(({ length }) => length === 100));
    for (const list of heard) expect(list).toEqual(Array.from({ length: 100 }, (_value, n) => n));
    expect(other).toEqual([]);
  });

  it('lose nothing that is published once the subscription is ready', async () => {
    const heard: number[] = [];
    const subscribed = reader.subscribeTurn(turn, ({ n }) => heard.push(n));
    await subscribed.ready;
    writer.publishTurn(turn, delta(0));
    await until(() => heard.length === 1);
    subscribed.close();
    writer.publishTurn(turn, delta(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual([0]);
  });

  it('tell a reader without the right so, instead of being silent', async () => {
    expect(await failure(writer.subscribeTurn(turn, () => undefined).ready)).toMatchObject({ slug: 'not-permitted' });
  });

  it('refuse what breaks its contract or is too large, before it is sent', () => {
    expect(() => writer.publishTurn(turn, { attempt: 0, n: 0, body: { type: 'delta', text: '' } })).toThrow('attempt');
    expect(() => writer.publishTurn(turn, delta(0, 'x'.repeat(300_000)))).toThrow('artifact');
  });

  it('drop a message that breaks its contract, with a word in the log, and go on', async () => {
    const heard: number[] = [];
    await reader.subscribeTurn(turn, ({ n }) => heard.push(n)).ready;
    const raw = await house.raw('writer');
    raw.publish(`turn.v1.${turn}`, '{"attempt":1}');
    raw.publish(`turn.v1.${turn}`, JSON.stringify(delta(7)));
    await until(() => heard.length === 1);
    expect(house.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('outlive a reader that throws', async () => {
    const heard: number[] = [];
    await reader.subscribeTurn(turn, ({ n }) => {
      heard.push(n);
      if (n === 0) throw new Error('cannot read this');
    }).ready;
    writer.publishTurn(turn, delta(0));
    writer.publishTurn(turn, delta(1));
    await until(() => heard.length === 2);
    expect(house.lines.some(({ level, facts }) => level === 'error' && String(facts.err).includes('cannot read this'))).toBe(true);
  });

  it('take the executor of a progress message from the subject', async () => {
    const heard: unknown[] = [];
    await reader.subscribeProgress((progress, from) => heard.push([from, progress.message])).ready;
    writer.publishProgress('docs', turn, { callId: 'c', tool: 'docs_read_text', message: 'page 2 of 3', fraction: 0.66 });
    await until(() => heard.length === 1);
    expect(heard).toEqual([[{ executor: 'docs', turnId: turn }, 'page 2 of 3']]);
  });

  it("drop an announcement in another executor's name", async () => {
    const heard: string[] = [];
    await reader.subscribeAnnouncements(({ executor }) => heard.push(executor)).ready;
    const raw = await house.raw('writer');
    raw.publish('announce.v1.slack', JSON.stringify(announcement));
    await raw.flush();
    writer.announce(announcement);
    await until(() => heard.length === 1);
    expect(house.lines.some(({ level, message }) => level === 'error' && message.includes('another executor'))).toBe(true);
  });

  it.each(['a.b', '*', '>', '', 'a b'])('refuse %j as part of a subject', (bad) => {
    expect(() => writer.publishTurn(bad, delta(0))).toThrow('cannot be part of a subject');
  });
});
