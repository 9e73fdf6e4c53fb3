import { describe, expect, it } from '@jest/globals';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { finished } from '../gateway-house.fixture.js';
import { TurnQueue, queueLimits } from './turn-queue.js';

const delta = (n: number, text = 'x'): TurnMessage => ({ attempt: 1, n, body: { type: 'delta', text } });
const ended = (n: number, attempt = 1): TurnMessage => ({ attempt, n, body: { type: 'ended', outcome: finished('x'.repeat(200_000)) } });

async function takeAll(queue: TurnQueue): Promise<TurnMessage[]> {
  const taken: TurnMessage[] = [];
  for (;;) {
    const next = await queue.take(1);
    if (next === 'silent' || next === 'closed') return taken;
    taken.push(next);
  }
}

describe('what waits for a slow client', () => {
  it('is bounded by number, and the first ones stay', async () => {
    const queue = new TurnQueue();
    for (let n = 0; n < 5_000; n++) queue.push(delta(n));
    expect(queue.size).toBe(queueLimits.messages);
    expect(queue.dropped).toBe(5_000 - queueLimits.messages);
    expect((await takeAll(queue)).map(({ n }) => n)).toEqual(Array.from({ length: queueLimits.messages }, (_, n) => n));
  });

  it('is bounded by bytes', () => {
    const queue = new TurnQueue();
    for (let n = 0; n < 100; n++) queue.push(delta(n, 'x'.repeat(50_000)));
    expect(queue.size).toBe(10);
    expect(queue.bytes).toBeLessThanOrEqual(queueLimits.bytes);
  });

  it('keeps one end beyond that and never two, whatever is published', async () => {
    const queue = new TurnQueue();
    for (let n = 0; n < 1_000; n++) queue.push(delta(n));
    for (let n = 0; n < 1_000; n++) queue.push(ended(1_000 + n));
    expect(queue.size).toBe(queueLimits.messages);
    const taken = await takeAll(queue);
    expect(taken).toHaveLength(queueLimits.messages + 1);
    expect(taken.at(-1)?.body.type).toBe('ended');
  });

  it('has room again as it is taken', async () => {
    const queue = new TurnQueue();
    for (let n = 0; n < 600; n++) queue.push(delta(n, 'x'.repeat(500)));
    await takeAll(queue);
    expect([queue.size, queue.bytes]).toEqual([0, 0]);
    queue.push(delta(600));
    expect((await takeAll(queue)).map(({ n }) => n)).toEqual([600]);
  });

  it('is given back when the client leaves, and nothing comes after', async () => {
    const queue = new TurnQueue();
    queue.push(delta(0));
    queue.close();
    queue.push(delta(1));
    queue.push(ended(2));
    expect([queue.size, queue.bytes]).toEqual([0, 0]);
    expect(await queue.take(1)).toBe('closed');
  });
});
