import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { emitterEdges, makeStreams, rang, ring } from '../spec-support/events.js';
import { askerEdges, failure, greet, startHouse, tellerEdges, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';


describe('two instances of one service', () => {
  let house: TestHouse;
  let asker: Wire;
  let first: Wire;
  let second: Wire;

  beforeEach(async () => {
    house = await startHouse([
      { ...tellerEdges, hears: [rang] },
      { ...askerEdges, emits: emitterEdges.emits },
    ]);
    [asker, first, second] = await Promise.all([house.wire('asker'), house.wire('teller'), house.wire('teller')]);
  });
  afterEach(() => house.stop());

  it('share the calls, and each call is answered once', async () => {
    const counts = { first: 0, second: 0 };
    await first.serve(greet, async () => ({ greeting: `first ${(counts.first += 1)}` })).ready;
    await second.serve(greet, async () => ({ greeting: `second ${(counts.second += 1)}` })).ready;
    await Promise.all(Array.from({ length: 200 }, () => asker.call(greet, { name: 'Ada' })));
    expect(counts.first + counts.second).toBe(200);
    expect(Math.min(counts.first, counts.second)).toBeGreaterThan(20);
  });

  it('share the events', async () => {
    const heard: number[] = [];
    await makeStreams(asker, emitterEdges);
    for (const wire of [first, second]) await wire.hear(rang, async ({ n }) => void heard.push(n)).ready;
    for (let n = 0; n < 20; n += 1) await ring(asker, n);
    await until(() => heard.length >= 20);
    expect(heard.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_value, n) => n));
  });

  it('stop the one cancelled call, whichever of them runs it', async () => {
    const stopped: string[] = [];
    const finished: string[] = [];
    for (const wire of [first, second]) {
      await wire.serve(greet, async ({ name }, { signal }) => {
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 400);
          signal.addEventListener('abort', () => (clearTimeout(timer), stopped.push(name), resolve(undefined)));
        });
        if (!signal.aborted) finished.push(name);
        return { greeting: name };
      }).ready;
    }
    const abort = new AbortController();
    const cancelled = failure(asker.call(greet, { name: 'no' }, { signal: abort.signal }));
    const others = ['a', 'b', 'c', 'd'].map((name) => asker.call(greet, { name }));
    setTimeout(() => abort.abort(), 100);
    await cancelled;
    await Promise.all(others);
    expect(stopped).toEqual(['no']);
    expect(finished.sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lose no call when one of them drains', async () => {
    for (const wire of [first, second]) {
      await wire.serve(greet, async ({ name }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { greeting: name };
      }).ready;
    }
    const calls: Promise<unknown>[] = [];
    const pump = setInterval(() => calls.push(asker.call(greet, { name: 'Ada' })), 2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await first.drain(3_000)).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    clearInterval(pump);
    expect(await Promise.all(calls)).toHaveLength(calls.length);
    expect(calls.length).toBeGreaterThan(20);
  });
});

describe('a draining wire', () => {
  let house: TestHouse;
  beforeEach(async () => {
    house = await startHouse([tellerEdges, askerEdges]);
  });
  afterEach(() => house.stop());

  it.each([
    ['that heeds its signal', true],
    ['that does not', false],
  ])('ends a handler %s when the time is up, and its caller may try elsewhere', async (_what, heeds) => {
    const [teller, asker] = await Promise.all([house.wire('teller'), house.wire('asker')]);
    let running = false;
    await teller.serve(greet, async (_input, { signal }) => {
      running = true;
      await new Promise((resolve, reject) => {
        if (heeds) signal.addEventListener('abort', () => reject(signal.reason));
        else setTimeout(resolve, 4_000).unref();
      });
      return { greeting: 'never' };
    }).ready;
    const call = failure(asker.call(greet, { name: 'Ada' }, { deadlineMs: 10_000 }));
    await until(() => running);
    const began = Date.now();
    expect(await teller.drain(600)).toBe(1);
    expect(Date.now() - began).toBeLessThan(1_500);
    expect(await call).toMatchObject({ kind: 'unavailable', slug: 'draining' });
  });
});
