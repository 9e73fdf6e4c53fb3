// Proves: budgets are exact over replicas, whatever begins and ends at once, and every end is counted once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getUsage } from '@skillgate/contracts/calls/orchestrator';
import { type Limits, noLimits } from '@skillgate/contracts/entitlements';
import type { HouseError } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { openStore } from '@skillgate/store/data-source';
import type { DataSource } from 'typeorm';
import { GetUsage } from './serve/get-usage.js';
import { outcomeOf, turnOf } from './spec-support/facts.js';
import { nextOf, said, startStore, type StoreWorld } from './spec-support/store-world.js';
import type { NewTurn } from './turn-records.js';
import { TurnStore } from './turn-store.js';

let world: StoreWorld;
let other: DataSource;
beforeAll(async () => {
  world = await startStore();
  other = await openStore({ ...world.definition, pool: { max: 4 } });
}, 60_000);
afterAll(async () => {
  await other?.destroy();
  await world?.close();
});

const limited = (limits: Partial<Limits>) => ({ account: randomUUID(), limits: { ...noLimits, ...limits } });
const usageOf = ({ account }: { account: string }) => world.store.usage(account);
const usedTokens = (promptTokens: number, completionTokens: number) => outcomeOf({ usage: { promptTokens, completionTokens, cachedTokens: promptTokens } });
const endWith = (turn: NewTurn, prompt: number, completion: number) => world.end(turn, undefined, [said('Done.')], usedTokens(prompt, completion));

/** Many turns that begin at once, in two replicas. @returns those that began, and why the others did not */
async function rush(count: number, who: Pick<NewTurn, 'account' | 'limits'>) {
  const stores = [world.store, new TurnStore(other)];
  const begun: NewTurn[] = [];
  const refused: string[] = [];
  const begin = async (n: number) => {
    const turn = turnOf(who);
    await stores[n % 2]!.begin(turn, () => undefined).then(() => begun.push(turn), ({ slug }: HouseError) => refused.push(slug));
  };
  await Promise.all(Array.from({ length: count }, (_, n) => begin(n)));
  return { begun, refused: [...new Set(refused)] };
}

describe('many turns that begin at once in two replicas', () => {
  it.each<[string, Partial<Limits>, string]>([
    ['a day', { turnsPerDay: 7 }, 'turns-a-day-reached'],
    ['at once', { parallelTurns: 7 }, 'parallel-turns-reached'],
  ])('are as many as are allowed %s, and not one more', async (_, limits, slug) => {
    const { begun, refused } = await rush(30, limited(limits));
    expect(begun).toHaveLength(7);
    expect(refused).toEqual([slug]);
  });

  it('make room when they end, where the limit is of what runs', async () => {
    const who = limited({ parallelTurns: 2 });
    const { begun } = await rush(6, who);
    await world.end(begun[0]!);
    expect((await rush(6, who)).begun).toHaveLength(1);
  });

  it('make room while they wait for their user, and count for the day', async () => {
    const who = limited({ parallelTurns: 1, turnsPerDay: 2 });
    const { begun } = await rush(3, who);
    await world.sql(who.account, `UPDATE turns SET status = 'waiting', waiting_since = now() WHERE id = $1`, [begun[0]!.turn]);
    expect(await usageOf(who)).toMatchObject({ turns: 1, running: 0 });
    expect((await rush(3, who)).begun).toHaveLength(1);
    expect(await usageOf(who)).toMatchObject({ turns: 2, running: 1 });
  });

  it('use the day up also when they end meanwhile', async () => {
    const who = limited({ turnsPerDay: 10 });
    const first = await rush(4, who);
    const [second] = await Promise.all([rush(20, who), ...first.begun.map((turn) => world.end(turn))]);
    expect(second.begun).toHaveLength(6);
    expect(await usageOf(who)).toMatchObject({ turns: 10, running: 6 });
  });

  it('of an account without limits all begin', async () => {
    expect((await rush(12, { account: randomUUID() })).begun).toHaveLength(12);
  });

  it('do not count for another account', async () => {
    await rush(5, limited({ turnsPerDay: 5 }));
    expect((await rush(5, limited({ turnsPerDay: 5 }))).begun).toHaveLength(5);
  });
});

describe('tokens', () => {
  it('of turns that ended count, input and output, and forbid the next turn once they are used up', async () => {
    const who = limited({ tokensPerDay: 100 });
    const first = await world.begun(who);
    const running = await world.begun(who); // begun in time: it may end in peace
    await endWith(first, 60, 50);
    expect(await usageOf(who)).toMatchObject({ turns: 2, tokens: 110, running: 1 });
    expect(await rush(1, who)).toEqual({ begun: [], refused: ['tokens-a-day-reached'] });
    await endWith(running, 10, 1);
    expect(await usageOf(who)).toMatchObject({ tokens: 121, running: 0 });
  });

  it('of ends in all replicas at once add up', async () => {
    const who = { account: randomUUID() };
    const turns = await Promise.all(Array.from({ length: 40 }, () => world.begun(who)));
    await Promise.all(turns.map((turn) => endWith(turn, 3, 2)));
    expect(await usageOf(who)).toMatchObject({ turns: 40, tokens: 200, running: 0 });
  });

  it('are counted once, also when the commit of an end is made again', async () => {
    const who = { account: randomUUID() };
    const turn = await world.begun(who);
    await endWith(turn, 5, 5);
    await endWith(turn, 5, 5);
    expect(await usageOf(who)).toMatchObject({ turns: 1, tokens: 10 });
  });
});

describe('a turn that lost its instance', () => {
  it('keeps its place, since another instance goes on with it, and counts as a turn of the day', async () => {
    const who = limited({ parallelTurns: 1, turnsPerDay: 3 });
    const lost = await world.begun(who);
    await world.lapse(lost);
    expect(await usageOf(who)).toMatchObject({ turns: 1, running: 1 });
    await expect(world.begin({ ...nextOf(lost, { limits: who.limits }), chat: randomUUID(), stateful: false })).rejects.toMatchObject({ slug: 'parallel-turns-reached' });
  });
});

describe('the usage of an account', () => {
  it('is told beside the limits of the ticket that asks, null where there is none', async () => {
    const who = limited({ turnsPerDay: 9, parallelTurns: 3 });
    await world.begun(who);
    await endWith(await world.begun(who), 7, 3);
    const tickets = { verify: async () => who as unknown as TicketClaims };
    const told = getUsage.output.parse(await new GetUsage(tickets, world.store).handle({ ticket: 'a.b.c' }));
    expect(told).toMatchObject({ turns: { used: 2, limit: 9 }, tokens: { used: 10, limit: null }, parallelTurns: { used: 1, limit: 3 } });
  });

  it('begins anew with the day of UTC', async () => {
    const who = limited({ turnsPerDay: 2 });
    await world.end(await world.begun(who));
    const { day, resetsAt, resetsInMs } = await usageOf(who);
    expect(day).toBe(new Date().toISOString().slice(0, 10));
    expect(resetsAt.toISOString()).toMatch(/T00:00:00\.000Z$/);
    expect(Math.abs(resetsAt.getTime() - Date.now() - resetsInMs)).toBeLessThan(5_000);
    await world.sql(who.account, 'UPDATE account_usage SET day = day - 1 WHERE account = $1', [who.account]);
    expect(await usageOf(who)).toMatchObject({ turns: 0, tokens: 0 });
  });

  it('is of nobody else: another account sees none of it', async () => {
    const who = limited({});
    await world.end(await world.begun(who));
    expect(await world.sql(randomUUID(), 'SELECT * FROM account_usage WHERE account = $1', [who.account])).toEqual([]);
  });

  it('leaves nothing behind of a turn that was refused', async () => {
    const who = limited({ turnsPerDay: 0 });
    await rush(3, who);
    expect(await world.sql(who.account, 'SELECT id FROM chats UNION ALL SELECT id FROM turns', [])).toEqual([]);
    expect(await usageOf(who)).toMatchObject({ turns: 0, running: 0 });
  });
});
