import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '@skillgate/contracts/audit';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { AccountsStore } from './accounts-store.js';
import { markOf, newApiKey } from './api-key.js';
import { KeysStore } from './keys-store.js';
import { accountsStore } from './store-definition.js';
import { UsersStore } from './users-store.js';

let database: TestDatabase;
let serviceUrl: string;
let dataSource: DataSource;
let accounts: AccountsStore;
let keys: KeysStore;
/** Who runs the platform, so that roles stand in no way. */
const actor: Actor = { account: randomUUID(), user: randomUUID(), roles: ['operator'] };

beforeAll(async () => {
  database = await withDatabase();
  serviceUrl = await database.migrate(accountsStore);
  // One connection for everything: what one account leaves on it, the next would find.
  dataSource = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 1 } });
  accounts = new AccountsStore(dataSource);
  keys = new KeysStore(dataSource);
});

afterAll(async () => {
  await dataSource?.destroy();
  await database?.close();
});
describe('rows of accounts', () => {
  const tables = ['accounts', 'users', 'identities', 'api_keys', 'integrations', 'skill_states', 'skill_locks', 'audit_log'];

  async function filledAccount(): Promise<string> {
    const { entitlements } = await accounts.create('filled', 'pro', actor);
    const { account } = entitlements;
    await keys.add({ account, name: 'k', roles: ['user'] }, markOf(newApiKey()), actor);
    const identity = { issuer: 'https://login.example.org', subject: 'ann' };
    await new UsersStore(dataSource).create({ account, name: 'Ann', roles: ['user'] }, identity, actor);
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setSkillState(account, 'briefing-memo', 'never', actor);
    await accounts.setSkillLock(account, 'briefing-memo', 'admin', 'always', actor);
    return account;
  }

  it('one account never sees another account on one pooled connection', async () => {
    const [one, two] = [await filledAccount(), await filledAccount()];
    for (const table of tables) {
      const column = table === 'accounts' ? 'id' : 'account';
      for (const account of [one, two, one]) {
        const seen = await inAccount(dataSource, account, (sql) => sql.query(`SELECT DISTINCT ${column} AS of FROM ${table}`));
        expect([table, seen]).toEqual([table, [{ of: account }]]);
      }
    }
  });

  it('are invisible without an account, also after somebody else used the connection', async () => {
    await filledAccount();
    for (const table of tables) expect([table, await dataSource.query(`SELECT * FROM ${table}`)]).toEqual([table, []]);
  });

  it('cannot be written under the name of another account', async () => {
    const [one, two] = [await filledAccount(), await filledAccount()];
    const write = inAccount(dataSource, one, (sql) =>
      sql.query(`INSERT INTO integrations (account, name, status) VALUES ($1, 'gmail', 'connected')`, [two]),
    );
    await expect(write).rejects.toThrow('row-level security');
    const change = inAccount(dataSource, one, (sql) => sql.query(`UPDATE accounts SET tier = 'team' WHERE id = $1 RETURNING id`, [two]));
    expect(((await change) as [unknown[], number])[1]).toBe(0);
  });

  it('cannot give a key to a user of another account', async () => {
    const [one, two] = [await filledAccount(), await filledAccount()];
    const { user } = await keys.add({ account: two, name: 'k', roles: ['user'] }, markOf(newApiKey()), actor);
    const stolen = keys.add({ account: one, user, name: 'k', roles: ['user'] }, markOf(newApiKey()), actor);
    await expect(stolen).rejects.toMatchObject({ slug: 'unknown-user' });
  });
});

describe('a change of entitlements', () => {
  it('raises the epoch once and not again when everything stands as asked', async () => {
    const { account } = (await accounts.create('changing', 'free', actor)).entitlements;
    const first = await accounts.setTier(account, 'pro', actor);
    expect(first).toMatchObject({ changed: true, facts: { entitlements: { tier: 'pro', capabilities: ['tools'], policyEpoch: 2 } } });
    expect(await accounts.setTier(account, 'pro', actor)).toMatchObject({ changed: false, facts: { entitlements: { policyEpoch: 2 } } });
  });

  it('counts every one of many at once, and the same one asked many times once', async () => {
    const { account } = (await accounts.create('busy', 'free', actor)).entitlements;
    const wide = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 5 } });
    const busy = new AccountsStore(wide);
    try {
      await Promise.all(Array.from({ length: 20 }, (_, n) => busy.setSkillState(account, `skill-${n}`, 'never', actor)));
      const same = await Promise.all(Array.from({ length: 5 }, () => busy.setTier(account, 'pro', actor)));
      expect(same.filter(({ changed }) => changed)).toHaveLength(1);
    } finally {
      await wide.destroy();
    }
    const { entitlements } = await accounts.facts(account);
    expect(entitlements.policyEpoch).toBe(22);
    expect(Object.keys(entitlements.skills)).toHaveLength(20);
  });

  it('shows in the facts: states, both kinds of locks, connected integrations', async () => {
    const { account } = (await accounts.create('full', 'team', actor)).entitlements;
    await accounts.setSkillState(account, 'a', 'always', actor);
    await accounts.setSkillLock(account, 'b', 'operator', 'never', actor);
    await accounts.setSkillLock(account, 'c', 'admin', 'always', actor);
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setIntegration(account, 'gmail', true, actor);
    await accounts.setIntegration(account, 'gmail', false, actor);
    expect((await accounts.facts(account)).entitlements).toEqual({
      account,
      tier: 'team',
      capabilities: ['sandbox', 'skill-authoring', 'subagents', 'tools'],
      integrations: ['slack'],
      skills: { a: 'always' },
      locks: { operator: { b: 'never' }, admin: { c: 'always' } },
      limits: { turnsPerDay: null, tokensPerDay: null, parallelTurns: null },
      policyEpoch: 7,
    });
    await accounts.setSkillState(account, 'a', null, actor);
    await accounts.setSkillLock(account, 'b', 'operator', null, actor);
    expect((await accounts.facts(account)).entitlements).toMatchObject({ skills: {}, locks: { operator: {} }, policyEpoch: 9 });
  });

  it('adds the extras of the account to what its tier gives', async () => {
    const { account } = (await accounts.create('extra', 'pro', actor)).entitlements;
    await inAccount(dataSource, account, (sql) => sql.query(`UPDATE accounts SET extra_capabilities = '{sandbox,tools}'`));
    expect((await accounts.facts(account)).entitlements.capabilities).toEqual(['sandbox', 'tools']);
  });

  it('of an unknown account or to an unknown tier is refused with what to do', async () => {
    await expect(accounts.setTier(randomUUID(), 'pro', actor)).rejects.toMatchObject({ slug: 'unknown-account' });
    const message = expect.stringContaining('free, pro, team');
    await expect(accounts.create('x', 'gold', actor)).rejects.toMatchObject({ slug: 'unknown-tier', message });
  });
});
