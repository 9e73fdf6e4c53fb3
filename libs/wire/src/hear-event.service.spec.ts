import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '@skillgate/contracts/refusal';
import { emitterEdges, hearerEdges, hungUp, makeStreams, rang, ring } from '../spec-support/events.js';
import { startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

jest.setTimeout(20_000); // redelivery takes its time

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('an event that is heard', () => {
  let house: TestHouse;
  let asker: Wire;
  let teller: Wire;

  beforeEach(async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    [asker, teller] = await Promise.all([house.wire('asker'), house.wire('teller')]);
    await makeStreams(asker, emitterEdges);
    await makeStreams(teller, hearerEdges);
  });
  afterEach(() => house.stop());

  it('comes with its id, its time, its number and nothing of the way it took', async () => {
    const heard: unknown[] = [];
    await teller.hear(rang, async (payload, { id, attempt, subject, occurredAt, headers }) => void heard.push({ payload, id, attempt, subject, occurredAt, headers })).ready;
    await asker.publishEvent(rang, { n: 1 }, { id: 'ring-1', occurredAt: 12_345, headers: { 'turn-id': 't' } });
    await until(() => heard.length === 1);
    expect(heard).toEqual([
      {
        payload: { n: 1 },
        id: 'ring-1',
        attempt: 1,
        subject: 'event.v1.asker.rang',
        occurredAt: 12_345,
        headers: { 'turn-id': 't', 'event-id': 'ring-1', 'Nats-Msg-Id': 'ring-1', 'occurred-at': '12345' },
      },
    ]);
  });

  it('is one event when it is published twice within the window, and two deliveries of one id beyond it', async () => {
    const ids: string[] = [];
    await teller.hear(rang, async (_payload, { id }) => void ids.push(id)).ready;
    expect(await ring(asker, 1)).toEqual({ stream: 'EVENTS_ASKER', seq: 1, duplicate: false });
    expect(await ring(asker, 1)).toEqual({ stream: 'EVENTS_ASKER', seq: 1, duplicate: true });
    // As the window would have passed: the stream takes it again, and only the event's id tells.
    expect(await ring(asker, 1, { messageId: 'ring-1 after the window' })).toMatchObject({ seq: 2, duplicate: false });
    await until(() => ids.length === 2);
    await wait(200);
    expect(ids).toEqual(['ring-1', 'ring-1']);
  });

  it('comes again when a dependency is unavailable, after a delay, with the next number, and others pass it meanwhile', async () => {
    const heard: { n: number; attempt: number; at: number }[] = [];
    await teller.hear(rang, async ({ n }, { attempt }) => {
      heard.push({ n, attempt, at: Date.now() });
      if (n === 1 && attempt < 3) throw unavailable('no-responder', 'Try again');
    }).ready;
    await ring(asker, 1);
    await ring(asker, 2);
    await until(() => heard.length === 4, 10_000);
    expect(heard.map(({ n, attempt }) => [n, attempt])).toEqual([[1, 1], [2, 1], [1, 2], [1, 3]]);
    const [first, , second, third] = heard.map(({ at }) => at) as [number, number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(950);
    expect(third - second).toBeGreaterThanOrEqual(1_900);
  });

  it('keeps its place where one is in flight at a time', async () => {
    const heard: string[] = [];
    await teller.hear(
      rang,
      async ({ n }, { attempt }) => {
        heard.push(`${n}.${attempt}`);
        if (n === 1 && attempt === 1) throw unavailable('no-responder', 'Try again');
      },
      { maxInFlight: 1 },
    ).ready;
    for (const n of [1, 2, 3]) await ring(asker, n);
    await until(() => heard.length === 4, 10_000);
    expect(heard).toEqual(['1.1', '1.2', '2.1', '3.1']);
  });

  it('is delivered once though its work takes longer than the ack wait, and so is the one behind it', async () => {
    const heard: string[] = [];
    let done = 0;
    await teller.hear(
      rang,
      async ({ n }, { attempt }) => {
        heard.push(`${n}.${attempt}`);
        await wait(2_500);
        done += 1;
      },
      { maxInFlight: 1, ackWaitMs: 1_000 },
    ).ready;
    await Promise.all([ring(asker, 1), ring(asker, 2)]);
    await until(() => done === 2, 10_000);
    await wait(1_500);
    expect(heard.sort()).toEqual(['1.1', '2.1']);
    expect(await teller.consumers()).toMatchObject([{ ackPending: 0, pending: 0, redelivered: 0, lagMs: 0 }]);
  });

  it('waits while as many as allowed are in flight, over all instances together', async () => {
    const second = await house.wire('teller');
    const release: (() => void)[] = [];
    let most = 0;
    for (const wire of [teller, second]) {
      await wire.hear(
        rang,
        async () => {
          await new Promise<void>((resolve) => {
            release.push(resolve);
            most = Math.max(most, release.length);
          });
        },
        { maxInFlight: 3 },
      ).ready;
    }
    for (let n = 0; n < 10; n += 1) await ring(asker, n);
    await until(() => release.length === 3);
    await wait(300);
    expect(release).toHaveLength(3);
    const [status] = await teller.consumers();
    expect(status).toMatchObject({ durable: 'teller__rang', stream: 'EVENTS_ASKER', pending: 7, ackPending: 3 });
    expect(status?.lagMs).toBeGreaterThanOrEqual(250);
    let done = 0;
    while (done < 10) {
      await until(() => release.length > 0);
      release.splice(0, 1)[0]?.();
      done += 1;
    }
    await until(() => house.lines.every(({ level }) => level !== 'error'));
    expect(most).toBe(3);
  });

  it('is worked on by another instance at once when the first drains', async () => {
    const second = await house.wire('teller');
    const heard: string[] = [];
    const stuck = teller.hear(rang, async ({ n }, { attempt, signal }) => {
      heard.push(`first ${n}.${attempt}`);
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }, { maxInFlight: 1 });
    await stuck.ready;
    await ring(asker, 1);
    await ring(asker, 2);
    await until(() => heard.length === 1);
    await second.hear(rang, async ({ n }, { attempt }) => void heard.push(`second ${n}.${attempt}`), { maxInFlight: 1 }).ready;
    expect(await teller.drain(600)).toBe(1);
    await until(() => heard.length === 3);
    expect(heard).toEqual(['first 1.1', 'second 1.2', 'second 2.1']);
  });

  it('is given to another instance at once when it reaches one that has begun to drain', async () => {
    for (let n = 0; n < 12; n += 1) await ring(asker, n); // one answer of the server will hold them all
    const heard: string[] = [];
    let drained: Promise<void> | undefined;
    const first = teller.hear(rang, async ({ n }) => {
      heard.push(`first ${n}`);
      drained ??= first.drain();
    });
    await until(() => drained !== undefined);
    await drained;
    const second = await house.wire('teller');
    await second.hear(rang, async ({ n }) => void heard.push(`second ${n}`)).ready;
    await until(() => heard.length === 12); // well within the ack wait
    expect(heard[0]).toBe('first 0');
    expect(heard.slice(1).sort()).toEqual(Array.from({ length: 11 }, (_value, n) => `second ${n + 1}`).sort());
  });

  it('comes to whoever starts later, when the only instance died with events in work', async () => {
    let begun = 0;
    await teller.hear(rang, () => {
      begun += 1;
      return new Promise(() => undefined);
    }, { ackWaitMs: 1_000 }).ready;
    for (let n = 0; n < 5; n += 1) await ring(asker, n);
    await until(() => begun === 5);
    await teller.close();
    await wait(2_500); // the server tries to deliver them again, to nobody
    const heard = new Set<number>();
    const second = await house.wire('teller');
    await second.hear(rang, async ({ n }) => void heard.add(n), { ackWaitMs: 1_000 }).ready;
    await until(() => heard.size === 5);
    await wait(1_200);
    expect(await second.consumers()).toMatchObject([{ pending: 0, ackPending: 0 }]);
  });

  it('is not taken from the stream by who hears another event', async () => {
    const heard: unknown[] = [];
    await teller.hear(rang, async (payload) => void heard.push(payload)).ready;
    await asker.publishEvent(hungUp, { n: 5 }, { id: 'h5' });
    await ring(asker, 6);
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ n: 6 }]);
    expect(await teller.consumers()).toMatchObject([{ pending: 0 }]);
  });

  it('waits in the stream for a hearer that comes later', async () => {
    for (let n = 0; n < 5; n += 1) await ring(asker, n);
    const heard: number[] = [];
    await teller.hear(rang, async ({ n }) => void heard.push(n)).ready;
    await until(() => heard.length === 5);
    expect(heard).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('a hearer whose emitter has not started yet', () => {
  let house: TestHouse;
  afterEach(() => house.stop());

  it('starts, says what is missing, and catches up', async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    const teller = await house.wire('teller');
    const heard: number[] = [];
    await teller.hear(rang, async ({ n }) => void heard.push(n)).ready;
    expect(await teller.consumers()).toMatchObject([{ detail: expect.stringContaining('"EVENTS_ASKER" is missing') }]);
    const asker = await house.wire('asker');
    await makeStreams(asker, emitterEdges);
    for (let n = 0; n < 3; n += 1) await ring(asker, n);
    await until(() => heard.length === 3, 10_000);
    expect(heard).toEqual([0, 1, 2]);
    expect((await teller.consumers())[0]?.detail).toBeUndefined();
    expect(house.lines.filter(({ facts }) => String(facts.problem).includes('is missing'))).toHaveLength(1);
  });
});

describe('hearing through a restart of NATS', () => {
  let house: TestHouse;
  afterEach(() => house.stop());

  it('goes on with what was kept, and with what was in work', async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    const [asker, teller] = await Promise.all([house.wire('asker'), house.wire('teller')]);
    await makeStreams(asker, emitterEdges);
    const heard = new Map<number, number>();
    let release: () => void = () => undefined;
    await teller.hear(rang, async ({ n }) => {
      heard.set(n, (heard.get(n) ?? 0) + 1);
      if (n === 1 && heard.get(1) === 1) await new Promise<void>((resolve) => (release = resolve));
    }, { ackWaitMs: 2_000 }).ready;
    await ring(asker, 1);
    await until(() => heard.size === 1);
    await house.nats.kill();
    await until(() => !teller.status().connected);
    release(); // its ack finds no connection and is not kept for later
    await house.nats.restart();
    await until(() => asker.status().connected && teller.status().connected, 10_000);
    await ring(asker, 2);
    await until(() => heard.get(1) === 2 && heard.get(2) === 1, 15_000);
    await wait(2_500);
    expect([...heard]).toEqual([[1, 2], [2, 1]]);
  });
});
