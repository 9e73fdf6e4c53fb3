import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditEntry } from '@skillgate/contracts/audit';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { inAccount } from './account-scope.js';
import { createAudit, dropAudit } from './audit-tables.js';
import { recordAudit, type Change } from './audit.js';
import { openStore } from './data-source.js';
import { notesStore } from './notes.fixture.js';
import { readAudit } from './read-audit.js';

class Audit1700000000009 implements MigrationInterface {
  up = (runner: QueryRunner) => createAudit(runner);
  down = (runner: QueryRunner) => dropAudit(runner);
}

let database: TestDatabase;
let store: DataSource;
const [ann, bob] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  database = await withDatabase();
  const url = await database.migrate(notesStore('notes', Audit1700000000009));
  store = await openStore({ schema: 'notes', entities: [], url, pool: { max: 1 } });
});
afterAll(async () => {
  await store?.destroy();
  await database?.close();
});

const change = (account: string | null, target: string, more: Partial<Change> = {}): Change => ({
  ...{ account, actor: { account: ann, user: randomUUID(), roles: ['admin'] }, action: 'set-limits', target },
  ...more,
});
const record = (account: string | null, target: string, more: Partial<Change> = {}) =>
  account
    ? inAccount(store, account, (sql) => recordAudit(sql, change(account, target, more)))
    : store.transaction((sql) => recordAudit(sql, change(null, target, more)));
const targets = async (account?: string, more = {}) =>
  (await readAudit(store, 'notes', { account, limit: 200, ...more })).entries.map(({ target }) => target);

describe('an audit entry', () => {
  it('is committed with its change or not at all', async () => {
    const failing = inAccount(store, ann, async (sql) => {
      await recordAudit(sql, change(ann, 'rolled back'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await targets(ann)).not.toContain('rolled back');
    await expect(recordAudit(store.manager, change(ann, 'no transaction'))).rejects.toThrow('needs the transaction');
  });

  it('is read as the contract has it, with what stood before and after', async () => {
    await record(ann, 'whole', { before: { text: 'a' }, after: ['b'] });
    const [entry] = (await readAudit(store, 'notes', { account: ann, limit: 1 })).entries;
    const told = { service: 'notes', account: ann, target: 'whole', before: { text: 'a' }, after: ['b'], traceId: null };
    expect(auditEntry.parse(entry)).toMatchObject(told);
  });

  it('belongs to its account: no other one reads it, and none writes it for another', async () => {
    await record(ann, 'of ann');
    await record(bob, 'of bob');
    expect(await targets(ann)).not.toContain('of bob');
    expect(await targets(bob)).toEqual(['of bob']);
    await expect(inAccount(store, ann, (sql) => recordAudit(sql, change(bob, 'smuggled')))).rejects.toThrow('row-level security');
    expect(await store.query('SELECT * FROM audit_log')).toEqual([]);
  });

  it('of the platform is shown by its function alone, and that shows none of an account', async () => {
    await record(null, 'of the platform');
    expect(await targets()).toEqual(['of the platform']);
    expect(await targets(ann)).not.toContain('of the platform');
    expect(await store.query('SELECT * FROM audit_log')).toEqual([]);
  });

  it('is never changed and never removed by the service', async () => {
    for (const sql of [`UPDATE audit_log SET target = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
      await expect(inAccount(store, ann, (manager) => manager.query(sql))).rejects.toThrow('permission denied');
    }
  });

  const secrets = ['secret', 'accessToken', 'api_key', 'refresh_token', 'clientSecret', 'hash'];

  it.each(secrets)('takes no field named "%s", however deep', async (name) => {
    await expect(record(ann, 'leak', { after: { nested: [{ [name]: 'x' }] } })).rejects.toThrow(`has a field "${name}"`);
    expect(await targets(ann)).not.toContain('leak');
  });

  it('has its place in one order, page by page, of an account and of the platform, though many come at one moment', async () => {
    const carl = randomUUID();
    const names = Array.from({ length: 7 }, (_, n) => `note ${n}`);
    await inAccount(store, carl, async (sql) => {
      for (const name of names) await recordAudit(sql, change(carl, name));
    });
    for (const name of names) await record(null, name, { action: 'put-tier' });
    for (const [account, action] of [[carl], [undefined, 'put-tier']] as const) {
      const seen: string[] = [];
      for (let before: string | undefined; ;) {
        const { entries } = await readAudit(store, 'notes', { account, limit: 3, before, action });
        seen.push(...entries.map(({ target }) => target));
        before = entries.at(-1)?.cursor;
        if (!before) break;
      }
      expect(seen).toEqual([...names].reverse());
    }
  });
});
