import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '@skillgate/contracts/audit';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { AccountsStore } from './accounts-store.js';
import { markOf, newApiKey } from './api-key.js';
import { FollowTiers } from './follow-tiers.js';
import { KeysStore } from './keys-store.js';
import { OperatorStore } from './operator-store.js';
import { accountsStore } from './store-definition.js';
import { TiersStore } from './tiers-store.js';
import { UsersStore } from './users-store.js';

let database: TestDatabase;
let serviceUrl: string;
let dataSource: DataSource;
let accounts: AccountsStore;
let keys: KeysStore;
let operators: OperatorStore;
const quiet = { info: () => {}, warn: () => {} };
/** Who runs the platform, so that roles stand in no way. */
const actor: Actor = { account: randomUUID(), user: randomUUID(), roles: ['operator'] };

beforeAll(async () => {
  database = await withDatabase();
  serviceUrl = await database.migrate(accountsStore);
  // One connection for everything: what one account leaves on it, the next would find.
  dataSource = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 1 } });
  accounts = new AccountsStore(dataSource);
  keys = new KeysStore(dataSource);
  operators = new OperatorStore(dataSource);
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

describe('the events of an account', () => {
  let admin: DataSource;
  beforeAll(async () => {
    admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
  });
  afterAll(() => admin?.destroy());

  const eventsOf = async (account: string) => {
    const rows = (await admin.query('SELECT subject, body FROM outbox WHERE aggregate = $1 ORDER BY seq', [account])) as {
      subject: string;
      body: string;
    }[];
    return rows.map(({ subject, body }) => ({ what: subject.split('.').at(-1), ...JSON.parse(body) }) as Record<string, unknown>);
  };

  it('begin with its first facts, and each change adds the whole facts of its epoch', async () => {
    const { account } = (await accounts.create('told', 'free', actor)).entitlements;
    await accounts.setTier(account, 'pro', actor);
    await accounts.setTier(account, 'pro', actor);
    await accounts.setSkillLock(account, 'briefing-memo', 'admin', 'never', actor);
    const events = await eventsOf(account);
    const both = (epoch: number) => ['entitlements-changed', 'policy-raised'].map((what) => [what, epoch]);
    expect(events.map(({ what, policyEpoch }) => [what, policyEpoch])).toEqual([1, 2, 3].flatMap(both));
    expect(events.at(-2)).toEqual({ what: 'entitlements-changed', ...(await accounts.facts(account)).entitlements });
    expect(events.at(-1)).toEqual({ what: 'policy-raised', account, policyEpoch: 3 }); // and nothing of what the account may
  });

  it('name an integration that came or went, under the epoch of the facts beside it', async () => {
    const { account } = (await accounts.create('connected', 'pro', actor)).entitlements;
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setIntegration(account, 'slack', false, actor);
    const facts = (await eventsOf(account)).filter(({ what }) => what !== 'policy-raised');
    const rest = facts.slice(1).map(({ what, integration, policyEpoch }) => [what, integration, policyEpoch]);
    expect(rest).toEqual([
      ['entitlements-changed', undefined, 2],
      ['integration-connected', 'slack', 2],
      ['entitlements-changed', undefined, 3],
      ['integration-disconnected', 'slack', 3],
    ]);
  });

  it('stand in the order of the epochs, however many change it at once', async () => {
    const { account } = (await accounts.create('crowded', 'free', actor)).entitlements;
    const wide = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 5 } });
    const busy = new AccountsStore(wide);
    await Promise.all(Array.from({ length: 20 }, (_, n) => busy.setSkillState(account, `skill-${n}`, 'never', actor))).finally(() =>
      wide.destroy(),
    );
    const told = (await eventsOf(account)).map(({ policyEpoch }) => policyEpoch);
    expect(told).toEqual(Array.from({ length: 21 }, (_, n) => [n + 1, n + 1]).flat());
  });

  it('are not there for a change that failed', async () => {
    const { account } = (await accounts.create('failed', 'free', actor)).entitlements;
    await expect(accounts.setTier(account, 'gold', actor)).rejects.toMatchObject({ slug: 'unknown-tier' });
    expect((await eventsOf(account)).map(({ policyEpoch }) => policyEpoch)).toEqual([1, 1]);
  });

  it('follow rights that were changed by SQL: those of a tier with its accounts, those of an account with its next event', async () => {
    const [one, two] = [
      (await accounts.create('one', 'pro', actor)).entitlements.account,
      (await accounts.create('two', 'free', actor)).entitlements.account,
    ];
    const epochs = () => Promise.all([one, two].map(async (account) => (await accounts.facts(account)).entitlements.policyEpoch));
    await admin.query(`UPDATE tiers SET capabilities = capabilities || '{sandbox}' WHERE name = 'pro'`);
    expect((await accounts.facts(one)).entitlements).toMatchObject({ capabilities: ['tools'], policyEpoch: 1 });
    await new FollowTiers(dataSource, quiet).follow();
    expect((await accounts.facts(one)).entitlements).toMatchObject({ capabilities: ['sandbox', 'tools'], policyEpoch: 2 });
    expect((await eventsOf(one)).at(-1)).toMatchObject({ policyEpoch: 2 });
    await admin.query(`UPDATE tiers SET capabilities = '{tools}' WHERE name = 'pro'`);
    await new FollowTiers(dataSource, quiet).follow();
    await admin.query(`UPDATE accounts SET extra_capabilities = '{sandbox}' WHERE id = $1`, [two]);
    await admin.query(`UPDATE accounts SET extra_capabilities = '{sandbox}', name = 'same' WHERE id = $1`, [two]);
    expect(await epochs()).toEqual([3, 2]);
  });
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

describe('the operator account', () => {
  it('is one, with one key, however many replicas boot at once', async () => {
    const mark = markOf(newApiKey());
    const boot = () => openStore({ ...accountsStore, url: serviceUrl, pool: { max: 2 } });
    const replicas = await Promise.all([boot(), boot(), boot(), boot()]);
    try {
      const made = await Promise.all(replicas.map((replica) => new OperatorStore(replica).ensure(mark)));
      expect(new Set(made).size).toBe(1);
      const held = await inAccount(dataSource, made[0]!, (sql) => sql.query('SELECT count(*)::int AS keys FROM api_keys'));
      expect(held).toEqual([{ keys: 1 }]);
      const roles = ['operator', 'admin', 'user'];
      expect(await keys.findPrincipal(mark.hash)).toMatchObject({ accountName: 'operator', tier: 'team', roles });
    } finally {
      await Promise.all(replicas.map((replica) => replica.destroy()));
    }
  });

  it('takes a new key from the configuration and lets the old one die', async () => {
    const [old, young] = [markOf(newApiKey()), markOf(newApiKey())];
    const account = await operators.ensure(old);
    expect(await operators.ensure(young)).toBe(account);
    expect(await keys.findPrincipal(old.hash)).toBeNull();
    expect(await keys.findPrincipal(young.hash)).toMatchObject({ account });
  });

  it('does not come back with a key that somebody revoked', async () => {
    const mark = markOf(newApiKey());
    const account = await operators.ensure(mark);
    await keys.revoke(account, (await keys.findPrincipal(mark.hash))!.key, actor);
    await expect(operators.ensure(mark)).rejects.toThrow('was revoked');
  });

  it('does not take over the key of another account', async () => {
    const mark = markOf(newApiKey());
    const { account } = (await accounts.create('other', 'pro', actor)).entitlements;
    await keys.add({ account, name: 'mine', roles: ['user'] }, mark, actor);
    await expect(operators.ensure(mark)).rejects.toThrow('another account');
  });

  it('is told to the house like every other, once', async () => {
    const account = await operators.ensure(markOf(newApiKey()));
    const admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
    const query = `SELECT body FROM outbox WHERE aggregate = $1 AND subject LIKE '%.entitlements-changed'`;
    const told = await admin.query(query, [account]).finally(() => admin.destroy());
    expect((told as { body: string }[]).map(({ body }) => JSON.parse(body).tier)).toEqual(['team']);
  });

  it('is not any account that calls itself operator', async () => {
    const { account } = (await accounts.create('operator', 'free', actor)).entitlements;
    expect(await operators.ensure(markOf(newApiKey()))).not.toBe(account);
  });
});
