// Proves: a turn is cancelled when nobody reads it any more, at whichever gateway, and not before its client could come back.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openGatewayHouse, queuesOf, until, type GatewayHouse, type Replica, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, delta, ended, saying } from './chat.fixture.js';
import { openStream, resume, take, textOf } from './stream-client.fixture.js';

const graceMs = 600;
let house: GatewayHouse;
let other: Replica;

beforeAll(async () => {
  house = await openGatewayHouse({ SKILLGATE_CANCEL_GRACE_MS: String(graceMs) });
  other = await house.addReplica();
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const pathOf = (turn: string) => `/api/v1/turns/${turn}/stream`;

/** A turn whose client is there, and how to cut it off. */
async function begin(): Promise<{ turn: StartedTurn; id: string; leave: () => void }> {
  house.onTurn = saying(delta(0, 'one '));
  const response = await openStream(`${house.url}/v1/chat/completions`, { json: chatBody({ stream: true }) });
  const id = String(response.headers['x-skillgate-turn']);
  return { turn: house.turns.get(id)!, id, leave: () => void response.destroy() };
}

describe('a turn whose client was cut off', () => {
  it('is cancelled when nobody comes back in time, and not before', async () => {
    const { id, leave } = await begin();
    const left = Date.now();
    leave();
    await until(() => house.cancelled.includes(id));
    expect(Date.now() - left).toBeGreaterThanOrEqual(graceMs);
  });

  it('is cancelled at once when its user says so', async () => {
    const { id, leave } = await begin();
    leave();
    expect((await other.ask(`/api/v1/turns/${id}/cancel`, { method: 'POST' })).status).toBe(202);
    expect(house.cancelled).toContain(id);
  });

  it.each([
    ['the same gateway', () => house],
    ['another gateway', () => other],
  ])('goes on when it comes back to %s, for as long as it reads there', async (_where, at) => {
    const { turn, id, leave } = await begin();
    leave();
    await pause(graceMs / 4);
    const reading = resume(at().url, id, '1.0');
    await pause(2 * graceMs);
    expect(house.cancelled).not.toContain(id);
    saying(delta(1, 'two'), ended(2, 'one two'))(turn);
    expect(textOf(await reading)).toBe('two');
    await pause(graceMs);
    expect(house.cancelled).not.toContain(id);
  });

  it('is cancelled when it leaves the second gateway for good: the duty went with it', async () => {
    const { id, leave } = await begin();
    leave();
    const back = await openStream(other.url + pathOf(id));
    await pause(1.5 * graceMs); // its first gateway has given it up to the second
    back.destroy();
    const left = Date.now();
    await until(() => house.cancelled.includes(id));
    expect(Date.now() - left).toBeGreaterThanOrEqual(graceMs - 10);
  });

  it('is not cancelled as it goes from one gateway to the other and back, never away for long', async () => {
    const { turn, id, leave } = await begin();
    leave();
    for (let hop = 0; hop < 5; hop++) {
      const back = await openStream([other, house][hop % 2]!.url + pathOf(id));
      await pause(graceMs / 3);
      back.destroy();
      await pause(graceMs / 3);
    }
    expect(house.cancelled).not.toContain(id);
    const reading = resume(house.url, id);
    await pause(50);
    turn.say(ended(1, 'one '));
    expect(textOf(await reading)).toBe('one ');
  }, 10_000);

  it('is cancelled once or more when two who read it leave together', async () => {
    const { id, leave } = await begin();
    const onlookers = await Promise.all([other, house].map(({ url }) => openStream(url + pathOf(id))));
    leave();
    await pause(1.5 * graceMs); // both have the duty now
    for (const each of onlookers) each.destroy();
    await until(() => house.cancelled.includes(id));
  });
});

describe('a client that asked for a whole answer', () => {
  it('cancels its turn at once when it leaves: it was never told what to come back to', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => void (turn = started);
    const leave = new AbortController();
    const asking = house.ask('/v1/chat/completions', { json: chatBody(), signal: leave.signal });
    await until(() => turn !== undefined);
    leave.abort();
    const left = Date.now();
    await expect(asking).rejects.toThrow();
    await until(() => house.cancelled.includes(turn!.ticket.turn));
    expect(Date.now() - left).toBeLessThan(graceMs);
  });
});

describe('an onlooker', () => {
  it('cancels nothing by leaving while the client reads', async () => {
    const { turn, id, leave } = await begin();
    await resume(other.url, id, undefined, 2);
    await pause(2 * graceMs);
    expect(house.cancelled).not.toContain(id);
    turn.say(ended(1, 'one '));
    leave();
  });

  it('cancels nothing by leaving a turn that runs for nobody, such as one that a clock began', async () => {
    const { turn, id } = await begin();
    // The gateway that has the duty is gone, and nobody ever asked the others.
    const scheduled = { ...turn, ticket: { ...turn.ticket, turn: crypto.randomUUID() } };
    house.turns.set(scheduled.ticket.turn, scheduled);
    const onlooker = await openStream(other.url + pathOf(scheduled.ticket.turn));
    onlooker.destroy();
    await pause(2 * graceMs);
    expect(house.cancelled).not.toContain(scheduled.ticket.turn);
    turn.say(ended(1, 'one '));
    await until(() => !house.cancelled.includes(id));
  });
});

describe('a storm of reconnects', () => {
  it('cancels nothing, leaves nothing behind, and whoever stays misses nothing', async () => {
    const { turn, id, leave } = await begin();
    const before = house.cancelled.length;
    const storm = async () => {
      for (let round = 0; round < 4; round++)
        await Promise.all(
          Array.from({ length: 50 }, async (_, each) => take(await openStream([house, other][each % 2]!.url + pathOf(id)), 1 + (each % 2))),
        );
    };
    leave();
    const staying = resume(other.url, id, '1.0');
    const blown = storm();
    for (let n = 1; n <= 200; n++) {
      turn.say(delta(n, `${n} `));
      await pause(2);
    }
    await blown;
    await until(() => queuesOf(house.gateway).size === 0 && queuesOf(other.gateway).size === 1);
    await pause(1.5 * graceMs);
    expect(house.cancelled.length).toBe(before);
    const answer = `one ${Array.from({ length: 200 }, (_, n) => `${n + 1} `).join('')}`;
    turn.say(ended(201, answer));
    expect(`one ${textOf(await staying)}`).toBe(answer);
    await until(() => queuesOf(other.gateway).size === 0);
  }, 30_000);
});
