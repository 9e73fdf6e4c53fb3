import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { emitterEdges, hearerEdges, hungUp, makeStreams, rang } from '../spec-support/events.js';
import { startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Published } from './delivery.js';
import type { Wire } from './wire.js';

jest.setTimeout(120_000);

const many = 10_000;

describe('ten thousand events in a burst', () => {
  let house: TestHouse;
  let asker: Wire;
  let teller: Wire;

  beforeAll(async () => {
    house = await startHouse([emitterEdges, { ...hearerEdges, hears: [rang, hungUp] }]);
    [asker, teller] = await Promise.all([house.wire('asker'), house.wire('teller')]);
    await makeStreams(asker, emitterEdges);
  });
  afterAll(() => house.stop());

  it('arrive once each, and in order of their subject', async () => {
    const heard = { rang: [] as number[], hungUp: [] as number[] };
    await teller.hear(rang, async ({ n }) => void heard.rang.push(n), { maxInFlight: 64 }).ready;
    await teller.hear(hungUp, async ({ n }) => void heard.hungUp.push(n), { maxInFlight: 1 }).ready;
    const began = Date.now();
    const half = many / 2;
    const publish = (at: number) => {
      const n = at >> 1;
      return at % 2 === 0 ? asker.publishEvent(rang, { n }, { id: `r${n}` }) : asker.publishEvent(hungUp, { n }, { id: `h${n}` });
    };
    const acknowledged: Published[] = [];
    // As many at once as a busy disk acknowledges within the deadline of one.
    for (let from = 0; from < many; from += 2_000) {
      acknowledged.push(...(await Promise.all(Array.from({ length: 2_000 }, (_value, at) => publish(from + at)))));
    }
    const publishedMs = Date.now() - began;
    expect(new Set(acknowledged.map(({ seq }) => seq)).size).toBe(many);
    await until(() => heard.rang.length >= half, 90_000);
    const manyMs = Date.now() - began;
    await until(() => heard.hungUp.length >= half, 90_000);
    const singleMs = Date.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const inOrder = Array.from({ length: half }, (_value, n) => n);
    expect(heard.rang).toEqual(inOrder);
    expect(heard.hungUp).toEqual(inOrder);
    process.stdout.write(`published ${many} events in ${publishedMs} ms; ${half} heard 64 at a time after ${manyMs} ms, ${half} one at a time after ${singleMs} ms\n`);
  });
});
