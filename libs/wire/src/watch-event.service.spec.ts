import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { emitterEdges, hearerEdges, hungUp, makeStreams, rang, ring } from '../spec-support/events.js';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

jest.setTimeout(30_000);

describe('a watched event', () => {
  let house: TestHouse;
  let asker: Wire;
  let teller: Wire;

  beforeEach(async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    [asker, teller] = await Promise.all([house.wire('asker'), house.wire('teller')]);
  });
  afterEach(() => house.stop());

  it('is told to every instance, in order, from now on', async () => {
    await makeStreams(asker, emitterEdges);
    await ring(asker, 0);
    const second = await house.wire('teller');
    const heard: [unknown, string][][] = [[], []];
    for (const [at, wire] of [teller, second].entries()) await wire.watch(rang, ({ n }, { id }) => heard[at]?.push([n, id])).ready;
    await asker.publishEvent(hungUp, { n: 9 }, { id: 'h9' });
    for (let n = 1; n <= 200; n += 1) await ring(asker, n);
    await until(() => heard.every(({ length }) => length === 200));
    for (const list of heard) expect(list).toEqual(Array.from({ length: 200 }, (_value, at) => [at + 1, `ring-${at + 1}`]));
  });

  it('is told from its first one on where its stream came later', async () => {
    const heard: number[] = [];
    await teller.watch(rang, ({ n }) => heard.push(n)).ready;
    await makeStreams(asker, emitterEdges);
    await ring(asker, 0);
    await until(() => heard.length === 1, 10_000);
  });

  it('is not lost while the watcher is away, and told soon after, once', async () => {
    await makeStreams(asker, emitterEdges);
    await ring(asker, 0);
    const [heard, later]: [number[], number[]] = [[], []];
    await teller.watch(rang, ({ n }) => heard.push(n)).ready;
    await ring(asker, 1);
    await until(() => heard.length === 1);
    const other = await house.wire('teller');
    await other.watch(rang, ({ n }) => later.push(n)).ready; // has heard nothing before it goes away
    const password = house.passwords.teller ?? '';
    house.passwords.teller = 'changed';
    await house.nats.restart();
    await until(() => asker.status().connected, 10_000);
    for (const n of [2, 3]) await ring(asker, n);
    house.passwords.teller = password;
    await house.nats.restart();
    await until(() => heard.length === 3 && later.length === 2, 10_000);
    await until(() => asker.status().connected, 10_000);
    await ring(asker, 4);
    await until(() => heard.length === 4 && later.length === 3);
    expect(heard).toEqual([1, 2, 3, 4]);
    expect(later).toEqual([2, 3, 4]);
  });

  it('goes on after one that breaks its contract, and after a watcher that throws', async () => {
    await makeStreams(asker, emitterEdges);
    const heard: number[] = [];
    await teller.watch(rang, ({ n }) => {
      heard.push(n);
      if (n === 1) throw new Error('cannot take this');
    }).ready;
    await ring(asker, 1);
    await (await house.raw('asker')).request(rang.subject, '{}');
    await ring(asker, 2);
    await until(() => heard.length === 2);
    expect(house.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  it('stops when it is closed, and needs its edge', async () => {
    await makeStreams(asker, emitterEdges);
    const heard: number[] = [];
    const watching = teller.watch(rang, ({ n }) => heard.push(n));
    await watching.ready;
    watching.close();
    await ring(asker, 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toEqual([]);
    expect(await failure(teller.watch(hungUp, () => undefined).ready)).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
  });

  it('can be read again from the beginning, in order and once, more than fit into one batch', async () => {
    expect(await failure(teller.readEvents(rang, async () => undefined))).toMatchObject({ kind: 'unavailable', slug: 'stream-missing' });
    await makeStreams(asker, emitterEdges);
    expect(await teller.readEvents(rang, async () => undefined)).toBe(0);
    await Promise.all(Array.from({ length: 1_250 }, (_value, n) => ring(asker, n)));
    const read: number[] = [];
    expect(await teller.readEvents(rang, async ({ n }) => void read.push(n))).toBe(1_250);
    expect(read).toEqual(Array.from({ length: 1_250 }, (_value, n) => n));
  });
});
