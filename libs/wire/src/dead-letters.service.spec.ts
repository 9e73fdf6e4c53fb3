import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@skillgate/contracts/refusal';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { deadLetterStream } from '@skillgate/contracts/streams';
import { emitterEdges, hearerEdges, makeStreams, rang, ring } from '../spec-support/events.js';
import { startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { DeadLetters } from './mend-stream.js';
import type { Wire } from './wire.js';

jest.setTimeout(20_000); // redelivery takes its time

const tools: ServiceEdges = { service: 'tools', serves: [], calls: [], emits: [], hears: [], publishes: [rang.subject], mends: [deadLetterStream('teller')] };

describe('an event that cannot be worked on', () => {
  let house: TestHouse;
  let asker: Wire;
  let teller: Wire;
  let letters: DeadLetters;

  beforeEach(async () => {
    house = await startHouse([emitterEdges, hearerEdges, tools]);
    [asker, teller] = await Promise.all([house.wire('asker'), house.wire('teller')]);
    await makeStreams(asker, emitterEdges);
    letters = (await house.wire('tools')).deadLetters(deadLetterStream('teller'));
  });
  afterEach(() => house.stop());

  const buried = async () => {
    for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const found = await letters.list(10);
      if (found.length > 0) return found;
    }
    throw new Error('no dead letter came');
  };

  it('becomes a dead letter with its reason after the handler failed as often as allowed; told again it is worked on', async () => {
    await makeStreams(teller, hearerEdges);
    const heard: [string, number][] = [];
    let broken = true;
    await teller.hear(rang, async (_payload, { id, attempt }) => {
      heard.push([id, attempt]);
      if (broken) throw new TypeError('swordfish');
    }, { maxDeliver: 2 }).ready;
    await asker.publishEvent(rang, { n: 7, text: 'ö' }, { id: 'ring-7', occurredAt: 1_000, headers: { 'turn-id': 't' } });
    const [kept] = await buried();
    expect(kept).toMatchObject({
      seq: 1,
      letter: {
        eventId: 'ring-7',
        subject: 'event.v1.asker.rang',
        consumer: 'teller__rang',
        service: 'teller',
        reason: { kind: 'defect', slug: 'internal', message: 'TypeError: [redacted]' },
        attempts: 2,
        payload: { n: 7, text: 'ö' },
        headers: { 'event-id': 'ring-7', 'occurred-at': '1000', 'turn-id': 't' },
      },
    });
    await until(() => house.lines.some(({ level, message }) => level === 'error' && message.includes('gave up')));
    expect(await teller.consumers()).toMatchObject([{ ackPending: 0, pending: 0 }]); // it is termed: it never comes by itself

    broken = false;
    await letters.replay(kept!.letter); // within the duplicate window of the first
    await until(() => heard.length === 3);
    expect(heard).toEqual([['ring-7', 1], ['ring-7', 2], ['ring-7', 1]]);
    expect(await letters.remove(1)).toBe(true);
    expect(await letters.remove(1)).toBe(false);
    expect(await letters.list(10)).toEqual([]);
  });

  it('becomes one at once when it breaks its contract, as JSON or as text', async () => {
    await makeStreams(teller, hearerEdges);
    const heard: number[] = [];
    await teller.hear(rang, async ({ n }) => void heard.push(n)).ready;
    const raw = await house.raw('asker');
    await raw.request(rang.subject, '{"n":"seven"}');
    await raw.request(rang.subject, 'no json');
    await ring(asker, 8);
    await until(() => heard.length === 1);
    await until(() => house.lines.filter(({ message }) => message.includes('gave up')).length === 2);
    expect((await buried()).map(({ letter }) => letter)).toMatchObject([
      { eventId: 'EVENTS_ASKER:1', reason: { kind: 'breach', slug: 'invalid-event' }, attempts: 1, payload: { n: 'seven' } },
      { eventId: 'EVENTS_ASKER:2', reason: { kind: 'breach', slug: 'invalid-event' }, attempts: 1, payload: 'no json' },
    ]);
    expect(heard).toEqual([8]);
  });

  it('becomes one at once when it is refused', async () => {
    await makeStreams(teller, hearerEdges);
    await teller.hear(rang, async () => {
      throw refuse('unknown-account', 'No such account');
    }).ready;
    await ring(asker, 1);
    expect((await buried())[0]?.letter).toMatchObject({ reason: { kind: 'refusal', slug: 'unknown-account', message: 'No such account' }, attempts: 1 });
  });

  it('fits into its dead letter at its largest', async () => {
    await makeStreams(teller, hearerEdges);
    await teller.hear(rang, async () => {
      throw refuse('no', 'x'.repeat(100_000));
    }).ready;
    await ring(asker, 1, { text: '"'.repeat(130_000) }); // 260,000 bytes as JSON
    const [kept] = await buried();
    expect((kept?.letter.payload as { text: string }).text).toHaveLength(130_000);
    await letters.replay(kept!.letter);
  });

  it('is not given up while its dead letter cannot be kept', async () => {
    const attempts: number[] = [];
    await teller.hear(rang, async (_payload, { attempt }) => {
      attempts.push(attempt);
      throw refuse('no', 'No');
    }).ready;
    await ring(asker, 1);
    await until(() => house.lines.some(({ message }) => message.includes('could not be settled')));
    expect(await letters.list(10)).toEqual([]); // a stream that does not exist yet has none
    expect(await teller.consumers()).toMatchObject([{ ackPending: 1 }]);
    await makeStreams(teller, hearerEdges);
    expect((await buried())[0]?.letter.attempts).toBe(2);
    expect(attempts).toEqual([1, 2]);
  });
});
