import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

const never = new AbortController().signal;
const settled = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

describe('slots', () => {
  it('let so many in and the next one when one leaves, in order', async () => {
    const slots = new Slots(2);
    const [first] = [await slots.take(never), await slots.take(never)];
    const third = slots.take(never);
    const fourth = slots.take(never);
    expect(await settled(third)).toBe(false);
    first();
    first(); // giving back twice frees one slot
    expect([await settled(third), await settled(fourth)]).toEqual([true, false]);
  });

  it('tell how many calls run and wait, for whoever looks at the health of an instance', async () => {
    const slots = new Slots(2);
    const leave = await slots.take(never);
    expect(slots.use).toEqual({ running: 1, waiting: 0, slots: 2 });
    await slots.take(never);
    void slots.take(never);
    expect(slots.use).toEqual({ running: 2, waiting: 1, slots: 2 });
    leave();
    expect(slots.use).toEqual({ running: 2, waiting: 0, slots: 2 });
  });

  it('send away who finds the line full, as something to try again', async () => {
    const slots = new Slots(1);
    await slots.take(never);
    for (let n = 0; n < 4; n += 1) void slots.take(never);
    await expect(slots.take(never)).rejects.toMatchObject({ kind: 'unavailable', slug: 'executor-busy', retryAfterMs: 500 });
  });

  it('let go of who is cancelled in the line, and keep its place for the next', async () => {
    const slots = new Slots(1);
    const leave = await slots.take(never);
    const stop = new AbortController();
    const impatient = slots.take(stop.signal);
    const patient = slots.take(never);
    stop.abort(new Error('stopped'));
    await expect(impatient).rejects.toThrow('stopped');
    leave();
    expect(await settled(patient)).toBe(true);
  });
});
