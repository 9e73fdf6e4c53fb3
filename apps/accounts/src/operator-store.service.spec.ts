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
import type { SignIn } from './operator-left.js';
import { OperatorStore } from './operator-store.js';
import { accountsStore } from './store-definition.js';
import { UsersStore } from './users-store.js';

let database: TestDatabase;
let serviceUrl: string;
let dataSource: DataSource;
let accounts: AccountsStore;
let keys: KeysStore;
let operators: OperatorStore;
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
describe('the operator account', () => {
  it('is one, with one key, however many replicas boot at once', async () => {
    const mark = markOf(newApiKey());
    const boot = () => openStore({ ...accountsStore, url: serviceUrl, pool: { max: 2 } });
    const replicas = await Promise.all([boot(), boot(), boot(), boot()]);
    try {
      const made = await Promise.all(replicas.map((replica) => new OperatorStore(replica).ensure(mark)));
      expect(new Set(made.map(({ account }) => account)).size).toBe(1);
      const held = await inAccount(dataSource, made[0]!.account, (sql) => sql.query('SELECT count(*)::int AS keys FROM api_keys'));
      expect(held).toEqual([{ keys: 1 }]);
      const roles = ['operator', 'admin', 'user'];
      expect(await keys.findPrincipal(mark.hash)).toMatchObject({ accountName: 'operator', tier: 'team', roles });
    } finally {
      await Promise.all(replicas.map((replica) => replica.destroy()));
    }
  });

  it('takes a new key from the configuration and lets the old one die', async () => {
    const [old, young] = [markOf(newApiKey()), markOf(newApiKey())];
    const { account } = await operators.ensure(old);
    expect(await operators.ensure(young)).toEqual({ account, key: 'opens' });
    expect(await keys.findPrincipal(old.hash)).toBeNull();
    expect(await keys.findPrincipal(young.hash)).toMatchObject({ account });
  });

  it('does not come back with a key that somebody revoked', async () => {
    const mark = markOf(newApiKey());
    const { account } = await operators.ensure(mark);
    await keys.add({ account, name: 'spare', roles: ['operator'] }, markOf(newApiKey()), actor);
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
    const { account } = await operators.ensure(markOf(newApiKey()));
    const admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
    const query = `SELECT body FROM outbox WHERE aggregate = $1 AND subject LIKE '%.entitlements-changed'`;
    const told = await admin.query(query, [account]).finally(() => admin.destroy());
    expect((told as { body: string }[]).map(({ body }) => JSON.parse(body).tier)).toEqual(['team']);
  });

  it('is not any account that calls itself operator', async () => {
    const { account } = (await accounts.create('operator', 'free', actor)).entitlements;
    expect((await operators.ensure(markOf(newApiKey()))).account).not.toBe(account);
  });
});

describe('the last operator', () => {
  let wide: DataSource;
  let admin: DataSource;
  beforeAll(async () => {
    wide = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 4 } });
    admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
  });
  afterAll(() => Promise.all([wide?.destroy(), admin?.destroy()]));

  /** The operator account with the configured operator and nobody else alive. */
  async function alone() {
    const mark = markOf(newApiKey());
    const { account } = await operators.ensure(mark);
    const { user, key } = (await keys.findPrincipal(mark.hash))!;
    await admin.query('UPDATE users SET revoked_at = now() WHERE account = $1 AND id <> $2', [account, user]);
    await admin.query('UPDATE api_keys SET revoked_at = now() WHERE account = $1 AND id <> $2', [account, key]);
    return { mark, account, user, key, as: { account, user, roles: ['operator', 'admin', 'user'] } satisfies Actor };
  }
  const second = async (account: string) => {
    const { user, id } = await keys.add({ account, name: 'second', roles: ['operator', 'admin'] }, markOf(newApiKey()), actor);
    return { user, key: id, as: { account, user, roles: ['operator', 'admin'] } satisfies Actor };
  };
  type Operator = Pick<Awaited<ReturnType<typeof alone>>, 'account' | 'user' | 'key'>;

  const ways: [string, (store: DataSource, of: Operator, by: Actor) => Promise<unknown>][] = [
    ['is not demoted', (store, { account, user }, by) => new UsersStore(store).update(account, user, { roles: ['admin'] }, by)],
    ['is not revoked', (store, { account, user }, by) => new UsersStore(store).revoke(account, user, by)],
    ['does not lose the last key', (store, { account, key }, by) => new KeysStore(store).revoke(account, key, by)],
  ];

  it.each(ways)('%s, by itself or by anybody', async (_what, way) => {
    const last = await alone();
    const message = expect.stringContaining('first');
    for (const by of [last.as, actor]) await expect(way(wide, last, by)).rejects.toMatchObject({ slug: 'last-operator', message });
    expect((await keys.findPrincipal(last.mark.hash))?.roles).toContain('operator');
    const two = await second(last.account);
    await way(wide, last, two.as);
    expect((await keys.findPrincipal(last.mark.hash))?.roles ?? []).not.toContain('operator');
  });

  it.each(ways)('%s where two do it to each other at the same moment', async (_what, way) => {
    for (let round = 0; round < 5; round += 1) {
      const one = await alone();
      const two = await second(one.account);
      const both = await Promise.allSettled([way(wide, { ...one, ...two }, one.as), way(wide, one, two.as)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { slug: 'last-operator' } });
    }
  });

  it('is nobody whose role opens by no key and no sign-in', async () => {
    const { account, user, as } = await alone();
    const issuer = 'https://login.example.org';
    const users = (...issuers: SignIn['SKILLGATE_OIDC_ISSUERS']) => new UsersStore(dataSource, { SKILLGATE_OIDC_ISSUERS: issuers });
    await users({ issuer }).create({ account, name: 'keyless', roles: ['operator'] }, undefined, actor);
    await expect(users({ issuer }).revoke(account, user, as)).rejects.toMatchObject({ slug: 'last-operator' });
    await users().create({ account, name: 'signs in', roles: ['operator'] }, { issuer, subject: 'olga' }, actor);
    const elsewhere = [users(), users({ issuer: `${issuer}/other` }), users({ issuer, accounts: [randomUUID()] })];
    for (const closed of elsewhere) await expect(closed.revoke(account, user, as)).rejects.toMatchObject({ slug: 'last-operator' });
    await users({ issuer, accounts: [account.toUpperCase()] }).revoke(account, user, as);
  });

  it('who signed in at an issuer that is configured no more is replaced by the configured key at the next start', async () => {
    const { account, mark, user } = await alone();
    const signIn = { SKILLGATE_OIDC_ISSUERS: [{ issuer: 'https://gone.example.org' }] };
    const users = new UsersStore(dataSource, signIn);
    await users.create({ account, name: 'signs in', roles: ['operator'] }, { issuer: 'https://gone.example.org', subject: 'olga' }, actor);
    await users.revoke(account, user, actor);
    expect(await new OperatorStore(dataSource, signIn).ensure(mark)).toEqual({ account, key: 'shut' });
    expect(await operators.ensure(mark)).toEqual({ account, key: 'repaired' });
  });

  it('is nobody whose key ends within a day', async () => {
    const { account, user, as } = await alone();
    const users = new UsersStore(dataSource);
    const add = (hours: number) =>
      keys.add({ account, name: 'ends', roles: ['operator'], expiresAt: new Date(Date.now() + hours * 3_600_000) }, markOf(newApiKey()), actor);
    await add(23);
    await expect(users.revoke(account, user, as)).rejects.toMatchObject({ slug: 'last-operator' });
    await add(25);
    await users.revoke(account, user, as);
  });

  it.each<[string, string]>([
    ['was revoked', `UPDATE users SET revoked_at = now() WHERE id = $1`],
    ['was demoted', `UPDATE users SET roles = '{user}' WHERE id = $1`],
    ['has a key that lost its role', `UPDATE api_keys SET roles = '{user}' WHERE "user" = $1`],
    ['has a key that ended', `UPDATE api_keys SET expires_at = now() WHERE "user" = $1`],
  ])('who %s comes back with the configured key at the next start', async (_what, query) => {
    const { account, mark, user } = await alone();
    await admin.query(query, [user]);
    expect(await operators.ensure(mark)).toEqual({ account, key: 'repaired' });
    expect((await keys.findPrincipal(mark.hash))?.roles).toEqual(['operator', 'admin', 'user']);
    expect(await operators.ensure(mark)).toEqual({ account, key: 'opens' });
    const [entry] = await admin.query(`SELECT action, actor FROM audit_log WHERE account = $1 ORDER BY at DESC LIMIT 1`, [account]);
    expect(entry).toEqual({ action: 'repair-operator-key', actor: { service: 'accounts', roles: [] } });
  });

  it('who was demoted while another stands does not come back by a start', async () => {
    const one = await alone();
    const two = await second(one.account);
    await new UsersStore(dataSource).update(one.account, one.user, { roles: ['user'] }, two.as);
    expect(await operators.ensure(one.mark)).toEqual({ account: one.account, key: 'shut' });
    expect((await keys.findPrincipal(one.mark.hash))?.roles).toEqual(['user']);
  });
});
