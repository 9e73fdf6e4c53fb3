import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { inAccount } from './account-scope.js';
import { openStore } from './data-source.js';
import { createEntitlements, EntitlementsProjection } from './entitlements-projection.js';

class CreateEntitlements1700000000001 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => createEntitlements(runner);
  down = async (): Promise<void> => undefined;
}

let database: TestDatabase;
let store: DataSource;
let asked: [string, number][];
let account: string;

beforeAll(async () => {
  database = await withDatabase();
  const url = await database.migrate({ schema: 'reader', migrations: [CreateEntitlements1700000000001], entities: [] });
  store = await openStore({ schema: 'reader', entities: [], url });
});
afterAll(async () => {
  await store?.destroy();
  await database?.close();
});
beforeEach(() => {
  asked = [];
  account = randomUUID();
});

const facts = (policyEpoch: number, tier = 'pro'): Entitlements => ({
  account,
  tier,
  capabilities: ['tools'],
  integrations: ['slack'],
  skills: { 'briefing-memo': 'never' },
  locks: { operator: {}, admin: { a: 'always' } },
  policyEpoch,
});

/** A replica of its own: what it has in memory is its own. `newest` is what accounts would answer. */
const replica = (newest = 1) =>
  new EntitlementsProjection(store, async (id, minEpoch) => {
    asked.push([id, minEpoch]);
    return facts(newest);
  });
const storedEpoch = async () =>
  ((await inAccount(store, account, (sql) => sql.query('SELECT policy_epoch AS n FROM entitlements'))) as { n: number }[])[0]?.n;

describe('the projection of entitlements', () => {
  it('answers from what it was told without asking accounts, in every replica', async () => {
    await replica().apply(facts(3));
    expect(await replica().of(account, 3)).toEqual(facts(3));
    expect(asked).toEqual([]);
  });

  it('asks accounts on a miss, once for all who ask, and stores the answer', async () => {
    const one = replica(4);
    expect(await Promise.all([one.of(account, 0), one.of(account, 0), one.of(account, 0)])).toEqual([facts(4), facts(4), facts(4)]);
    expect(await replica().of(account, 4)).toEqual(facts(4));
    expect(asked).toEqual([[account, 0]]);
  });

  it('reads through when a newer epoch is demanded than it has, and not for an older one', async () => {
    const one = replica(5);
    await one.apply(facts(4));
    expect(await one.of(account, 2)).toEqual(facts(4));
    expect(await one.of(account, 5)).toEqual(facts(5));
    expect(asked).toEqual([[account, 5]]);
    expect(await storedEpoch()).toBe(5);
  });

  it('is not changed by an older epoch that comes late, nor by the same one again', async () => {
    const one = replica();
    expect(await one.apply(facts(7, 'team'))).toBe(true);
    expect([await one.apply(facts(6, 'free')), await one.apply(facts(7, 'free'))]).toEqual([false, false]);
    expect(one.note(facts(5, 'free')).tier).toBe('team');
    expect(await one.of(account, 0)).toEqual(facts(7, 'team'));
    expect(await replica().of(account, 0)).toEqual(facts(7, 'team'));
  });

  it('uses in each replica what it noted, before the row is there', async () => {
    const [one, two] = [replica(), replica()];
    await one.apply(facts(1));
    await two.of(account, 0);
    two.note(facts(2, 'free'));
    expect((await two.of(account, 0)).tier).toBe('free');
    expect(asked).toEqual([]);
  });

  it('keeps the newer facts when an older row was being read while they came', async () => {
    const one = replica();
    await replica().apply(facts(1));
    const reading = one.of(account, 0);
    one.note(facts(2, 'free'));
    await reading;
    expect((await one.of(account, 0)).tier).toBe('free');
  });

  it('knows that it is empty, though it may not look at accounts', async () => {
    await database.migrate({ schema: 'newcomer', migrations: [CreateEntitlements1700000000001], entities: [] }).then(async (url) => {
      const newcomer = await openStore({ schema: 'newcomer', entities: [], url });
      const projection = new EntitlementsProjection(newcomer, async () => facts(1));
      expect(await projection.isEmpty()).toBe(true);
      await projection.apply(facts(1));
      expect(await projection.isEmpty()).toBe(false);
      await newcomer.destroy();
    });
  });

  it('tells a failure to everybody who waits for it, and asks again the next time', async () => {
    let fail = true;
    const one = new EntitlementsProjection(store, async () => {
      if (fail) throw new Error('accounts are away');
      return facts(1);
    });
    await expect(Promise.all([one.of(account, 0), one.of(account, 0)])).rejects.toThrow('accounts are away');
    fail = false;
    expect(await one.of(account, 0)).toEqual(facts(1));
  });
});
