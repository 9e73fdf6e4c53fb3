import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootService, defineService } from './boot.js';
import { back, front, greet, wait } from './spec-house.fixture.js';
import { openSpecHouse, ready, until, type SpecHouse } from './open-spec-house.fixture.js';

let house: SpecHouse;
beforeAll(async () => {
  house = await openSpecHouse();
}, 30_000);
afterAll(() => house.close());

describe('stop', () => {
  it('is not ready at once, finishes the call in flight, takes no other, and leaves nothing open', async () => {
    const own: string[] = [];
    const leaving = defineService({
      ...back,
      module: (kit) => {
        kit.draining.addEventListener('abort', () => own.push('goodbye'));
        kit.onDrain('a turn', () => void own.push(kit.wire.status().connected ? 'turn ended, still connected' : 'too late'));
        return back.module(kit);
      },
    });
    const theBack = await bootService(leaving, house.env, house.logging);
    const theFront = await bootService(front, house.env, house.logging);
    const inFlight = fetch(`${theFront.url}/wait/600`);
    await until(
      async () => house.logged('front', 'waiting').length,
      (count) => count > 0,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));

    const stopping = theBack.stop();
    expect(theBack.stop()).toBe(stopping);
    expect(await ready(house.probes)).toMatchObject({
      status: 503,
      parts: { service: { status: 'down', detail: 'draining' } },
    });
    await expect(theFront.wire.call(greet, { name: 'late' })).rejects.toMatchObject({ kind: 'unavailable', slug: 'no-responder' });
    expect(await (await inFlight).json()).toEqual({ waited: 600 });
    await stopping;
    expect(own).toEqual(['goodbye', 'turn ended, still connected']);
    expect(theBack.wire.status().connected).toBe(false);
    await expect(fetch(`${house.probes}/health/live`)).rejects.toThrow();
    await theFront.stop();
    await expect(fetch(theFront.url!)).rejects.toThrow();
  }, 20_000);

  it('lets an HTTP request in flight end, over the call that it made', async () => {
    const theBack = await bootService(back, house.env, house.logging);
    const theFront = await bootService(front, house.env, house.logging);
    const before = house.logged('front', 'waiting').length;
    const inFlight = fetch(`${theFront.url}/wait/500`);
    await until(
      async () => house.logged('front', 'waiting').length,
      (count) => count > before,
    );
    await theFront.stop();
    expect(await (await inFlight).json()).toEqual({ waited: 500 });
    await theBack.stop();
  }, 20_000);

  it('cuts an HTTP request that outlasts the budget', async () => {
    const theBack = await bootService(back, house.env, house.logging);
    const theFront = await bootService(front, house.env, house.logging);
    const before = house.logged('front', 'waiting').length;
    const endless = fetch(`${theFront.url}/wait/20000`).catch(() => 'cut');
    await until(
      async () => house.logged('front', 'waiting').length,
      (count) => count > before,
    );
    await expect(theFront.stop(1_000)).rejects.toThrow(/HTTP: requests were still open after \d+ ms and were cut/);
    expect(await endless).toBe('cut');
    await theBack.stop(500).catch(() => undefined); // the call itself still runs there
  }, 20_000);

  it('ends within its budget whatever runs, and says what it cut', async () => {
    const theBack = await bootService(back, house.env, house.logging);
    const theFront = await bootService(front, house.env, house.logging);
    const call = theFront.wire.call(wait, { ms: 20_000 }).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    await expect(theBack.stop(1_000)).rejects.toThrow(/calls: 1 were still running/);
    expect(Date.now() - began).toBeLessThan(1_100);
    expect(await call).toMatchObject({ kind: 'unavailable', slug: 'draining' });
    await theFront.stop();
  }, 20_000);
});
