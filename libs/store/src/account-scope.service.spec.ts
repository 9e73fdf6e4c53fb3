import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource, EntityManager } from 'typeorm';
import { inAccount } from './account-scope.js';
import { openStore } from './data-source.js';
import { notesStore } from './notes.fixture.js';
import { poolMetrics } from './pool-metrics.js';

const [ann, bob] = [randomUUID(), randomUUID()];
const add = (account: string, text: string) => (manager: EntityManager) =>
  manager.query('INSERT INTO notes (account, text) VALUES ($1, $2)', [account, text]);
const texts = async (manager: Pick<EntityManager, 'query'>): Promise<string[]> =>
  ((await manager.query('SELECT text FROM notes ORDER BY text')) as { text: string }[]).map(({ text }) => text);

describe('inAccount, with a pool of one connection', () => {
  let database: TestDatabase;
  let store: DataSource;

  beforeAll(async () => {
    database = await withDatabase();
    const url = await database.migrate(notesStore('notes'));
    store = await openStore({ schema: 'notes', entities: [], url, pool: { max: 1, acquireTimeoutMs: 300, idleInTransactionMs: 1_000 } });
    await inAccount(store, ann, add(ann, 'of ann'));
    await inAccount(store, bob, add(bob, 'of bob'));
  });

  afterAll(async () => {
    await store?.destroy();
    await database?.close();
  });

  it('shows alternating accounts their own rows on the same connection', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await inAccount(store, ann, texts)).toEqual(['of ann']);
      expect(await inAccount(store, bob, texts)).toEqual(['of bob']);
    }
    expect(poolMetrics(store)).toEqual({ total: 1, idle: 1, waiting: 0, max: 1 });
  });

  it('shows no row to a query that forgot the account, also after a transaction that had one', async () => {
    await inAccount(store, ann, texts);
    expect(await texts(store)).toEqual([]);
    expect(await store.transaction(texts)).toEqual([]);
  });

  it('takes no row for another account, and changes none', async () => {
    await expect(inAccount(store, ann, add(bob, 'smuggled'))).rejects.toThrow('row-level security');
    const change = (manager: EntityManager) => manager.query('UPDATE notes SET text = $1 WHERE account = $2', ['changed', bob]);
    const changed = await inAccount(store, ann, change);
    expect(changed).toEqual([[], 0]);
    expect(await inAccount(store, bob, texts)).toEqual(['of bob']);
  });

  it('is not fooled by a service that sets the switch of the id functions by itself', async () => {
    const seen = await inAccount(store, ann, async (manager) => {
      await manager.query(`SELECT set_config('skillgate.across', 'on', true)`);
      return texts(manager);
    });
    expect(seen).toEqual(['of ann']);
  });

  it('rolls back and frees the connection when the work throws', async () => {
    const failing = inAccount(store, ann, async (manager) => {
      await add(ann, 'half done')(manager);
      throw new Error('stop here');
    });
    await expect(failing).rejects.toThrow('stop here');
    expect(await inAccount(store, ann, texts)).toEqual(['of ann']);
  });

  it('keeps a transaction within it as part of its own, which a rollback takes along', async () => {
    const failing = inAccount(store, ann, async (manager) => {
      await manager.transaction(add(ann, 'nested'));
      expect(await texts(manager)).toContain('nested');
      throw new Error('stop here');
    });
    await expect(failing).rejects.toThrow('stop here');
    expect(await inAccount(store, ann, texts)).toEqual(['of ann']);
    await inAccount(store, ann, async (manager) => {
      await expect(manager.transaction(add(bob, 'smuggled'))).rejects.toThrow('row-level security');
      await manager.query('SELECT 1'); // what failed within does not end what is around it
    });
  });

  it('says database-busy when no connection becomes free in time, and counts those who wait', async () => {
    let release = () => {};
    const held = inAccount(store, ann, () => new Promise<void>((resolve) => (release = resolve)));
    const waiting = inAccount(store, bob, texts);
    const refused = expect(waiting).rejects.toMatchObject({ kind: 'unavailable', slug: 'database-busy' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(poolMetrics(store)).toMatchObject({ total: 1, idle: 0, waiting: 1 });
    await refused;
    release();
    await held;
  });

  it('ends a transaction that waits for something else too long, and works on', async () => {
    const slow = inAccount(store, ann, async (manager) => {
      await manager.query('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return texts(manager);
    });
    await expect(slow).rejects.toThrow();
    expect(await inAccount(store, ann, texts)).toEqual(['of ann']);
  });

  it('refuses an account that is no id before it asks the database', async () => {
    await expect(inAccount(store, '', texts)).rejects.toThrow('Invalid UUID');
  });
});
