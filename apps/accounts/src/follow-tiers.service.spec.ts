import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '@skillgate/contracts/audit';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { AccountsStore } from './accounts-store.js';
import { FollowTiers } from './follow-tiers.js';
import { accountsStore } from './store-definition.js';
import { TiersStore } from './tiers-store.js';

let database: TestDatabase;
let serviceUrl: string;
let dataSource: DataSource;
let accounts: AccountsStore;
const quiet = { info: () => {}, warn: () => {} };
/** Who runs the platform, so that roles stand in no way. */
const actor: Actor = { account: randomUUID(), user: randomUUID(), roles: ['operator'] };

beforeAll(async () => {
  database = await withDatabase();
  serviceUrl = await database.migrate(accountsStore);
  // One connection for everything: what one account leaves on it, the next would find.
  dataSource = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 1 } });
  accounts = new AccountsStore(dataSource);
});

afterAll(async () => {
  await dataSource?.destroy();
  await database?.close();
});
describe('accounts that follow a changed tier', () => {
  const limits = { turnsPerDay: 1, tokensPerDay: null, parallelTurns: null };

  it('stop at the time that was given, and go on from there, each once, however many replicas take part', async () => {
    const tiers = new TiersStore(dataSource);
    await tiers.put({ name: 'crowd', capabilities: [], limits }, actor);
    const made = [];
    for (let n = 0; n < 12; n += 1) made.push((await accounts.create(`crowd ${n}`, 'crowd', actor)).entitlements.account);
    await tiers.put({ name: 'crowd', capabilities: ['tools'], limits }, actor);
    const part = await new FollowTiers(dataSource, quiet).follow('crowd', Date.now() - 1);
    expect(part).toMatchObject({ done: false });
    expect(part.following).toBeLessThan(12);
    const wide = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 8 } });
    const both = await Promise.all([1, 2].map(() => new FollowTiers(wide, quiet).follow('crowd'))).finally(() => wide.destroy());
    expect(both.reduce((sum, { following }) => sum + following, part.following)).toBe(12);
    const facts = await Promise.all(made.map((account) => accounts.facts(account)));
    const told = facts.map(({ entitlements: { policyEpoch, capabilities } }) => `${policyEpoch} ${capabilities.join()}`);
    expect(new Set(told)).toEqual(new Set(['2 tools']));
  });

  it('never stand beside an epoch of other facts: what is read between the change and the move is the old version', async () => {
    const tiers = new TiersStore(dataSource);
    await tiers.put({ name: 'versioned', capabilities: [], limits }, actor);
    const { account } = (await accounts.create('versioned', 'versioned', actor)).entitlements;
    await tiers.put({ name: 'versioned', capabilities: ['tools'], limits }, actor);
    expect((await accounts.facts(account)).entitlements).toMatchObject({ capabilities: [], policyEpoch: 1 });
    await accounts.setSkillState(account, 'a', 'never', actor);
    expect((await accounts.facts(account)).entitlements).toMatchObject({ capabilities: [], policyEpoch: 2 });
    await new FollowTiers(dataSource, quiet).follow('versioned');
    expect((await accounts.facts(account)).entitlements).toMatchObject({ capabilities: ['tools'], policyEpoch: 3 });
  });
});
