import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { turnOf } from './spec-support/facts.js';
import { nextOf, startStore, type StoreWorld } from './spec-support/store-world.js';
import type { NewTurn } from './turn-records.js';

let world: StoreWorld;
beforeAll(async () => {
  world = await startStore();
}, 60_000);
afterAll(() => world?.close());

const hash = 'a'.repeat(64);
const found = (first: NewTurn, after: string) =>
  nextOf(first, { request: { ticket: 't', sampling: {}, transcript: { how: 'continued', hash, after } } });

describe('a chat that was found by a transcript', () => {
  it('goes on from the turn that was its last, and from no other', async () => {
    const first = await world.begun();
    await world.end(first);
    const second = found(first, first.turn);
    await world.begin(second);
    await world.end(second, { items: 2, steps: 0 });
    await expect(world.begin(found(first, first.turn))).rejects.toMatchObject({ kind: 'refusal', slug: 'chat-moved' });
    await world.begin(found(first, second.turn));
  });
});

describe('an idempotency key', () => {
  const idempotency = { key: randomUUID(), digest: hash };

  it('is given back with a turn that could not begin', async () => {
    const busy = await world.begun();
    await expect(world.begin(nextOf(busy, { idempotency }))).rejects.toMatchObject({ slug: 'turn-in-progress' });
    const other = turnOf({ account: busy.account, user: busy.user, idempotency });
    expect(await world.begin(other)).toMatchObject({ history: other.items });
  });
});
