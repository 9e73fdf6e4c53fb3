// Proves: a client that does not read costs a bounded piece of memory, and still gets the whole answer when it reads.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { finished, openGatewayHouse, queuesOf, until, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, delta, ended, progress } from './chat.fixture.js';
import { openStream, readEvents, textOf, type Received } from './stream-client.fixture.js';
import { queueLimits, type TurnQueue } from './turn-queue.js';

let house: GatewayHouse;

beforeAll(async () => {
  house = await openGatewayHouse();
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

/** Starts a turn for a client that reads nothing; what waits for it is measured at each message. */
async function begin() {
  let turn: StartedTurn | undefined;
  house.onTurn = (started) => void (turn = started);
  // The longer each chunk, the sooner the sockets are full, which the stream must still have room for.
  const asked = chatBody({ model: 'm'.repeat(200), stream: true, skillgate: { progress: true } });
  const response = await openStream(`${house.url}/v1/chat/completions`, { json: asked });
  const [queue] = queuesOf(house.gateway);
  const peak = { size: 0, bytes: 0 };
  const push = queue!.push.bind(queue);
  queue!.push = (message) => {
    push(message);
    peak.size = Math.max(peak.size, queue!.size);
    peak.bytes = Math.max(peak.bytes, queue!.bytes);
  };
  return { turn: turn!, response, queue: queue!, peak };
}

/** Fills what the operating system holds for the client with what nobody has to repeat: it is not text. */
async function clog(turn: StartedTurn, queue: TurnQueue): Promise<number> {
  const message = 'x'.repeat(20_000);
  let n = 0;
  while (queue.size < 3) {
    turn.say({ ...progress(n), body: { type: 'progress', progress: { stage: 'calling', message } } });
    n += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return n;
}

const pieces = Array.from({ length: 20_000 }, (_, n) => `${n} `);
const answer = pieces.join('');

describe('a client that does not read', () => {
  it('is given the rest by the journal where the stream has too much to read, and its queue never grows beyond its bounds', async () => {
    const { turn, response, queue, peak } = await begin();
    const first = await clog(turn, queue);
    for (const [at, piece] of pieces.entries()) turn.say(delta(first + at, piece));
    turn.outcome = finished(answer); // and the last word is lost
    await until(() => queue.dropped > pieces.length - queueLimits.messages - 1, 20_000);
    expect(peak.size).toBeGreaterThan(100);
    expect(peak.size).toBeLessThanOrEqual(queueLimits.messages);
    expect(peak.bytes).toBeLessThanOrEqual(queueLimits.bytes);

    const events: Received[] = [];
    for await (const event of readEvents(response)) events.push(event);
    expect(textOf(events)).toBe(answer);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(queuesOf(house.gateway).size).toBe(0);
  }, 60_000);

  it('is given the rest by the stream while the turn still runs, in few pieces', async () => {
    const { turn, response, queue, peak } = await begin();
    // Nothing but text, which the stream has room for: some of it stands in the sockets, some in the queue, most in neither.
    let n = 0;
    const said: string[] = [];
    while (queue.dropped < 2_000) {
      for (const end = n + 500; n < end; n++) {
        said.push(`${n % 100} `);
        turn.say(delta(n, said[n]!));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(peak.size).toBe(queueLimits.messages);
    expect(peak.bytes).toBeLessThanOrEqual(queueLimits.bytes);

    const events: Received[] = [];
    const whole = said.join('');
    let length = 0;
    for await (const event of readEvents(response)) {
      events.push(event);
      length += textOf([event]).length;
      if (length === whole.length) turn.say(ended(n, whole)); // it has everything before the turn has ended
    }
    expect(textOf(events)).toBe(whole);
    expect(events.length).toBeLessThan(n - 1_000);
  }, 60_000);
});
