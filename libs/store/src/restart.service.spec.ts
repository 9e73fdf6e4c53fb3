import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type LocalPostgres } from '@skillgate/backing/postgres';
import type { DataSource } from 'typeorm';
import { inAccount } from './account-scope.js';
import { openStore } from './data-source.js';
import { migrateService } from './migrate.js';
import { notesStore } from './notes.fixture.js';
import { poolMetrics } from './pool-metrics.js';

describe('a store whose PostgreSQL restarts', () => {
  let postgres: LocalPostgres;
  let store: DataSource;
  const idleErrors: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres({ durable: false }); // of its own: others would suffer from the restarts
    const roles = { schema: 'notes', ownerRole: 'notes_owner', serviceRole: 'notes', servicePassword: 'known' };
    await migrateService({ adminUrl: postgres.adminUrl, ...roles, migrations: notesStore('notes').migrations });
    const url = postgres.adminUrl.replace(/\/\/[^@]*@/, '//notes:known@');
    store = await openStore({ schema: 'notes', entities: [], url, onIdleError: (error) => idleErrors.push(error.message) });
  }, 60_000);

  afterAll(async () => {
    await store?.destroy();
    await postgres?.stop();
  });

  it('survives the loss of idle connections, says so, and works on with new ones', async () => {
    await store.query('SELECT 1');
    expect(poolMetrics(store).idle).toBeGreaterThan(0);
    await postgres.restart();
    expect(await store.query('SELECT count(*)::int AS n FROM notes')).toEqual([{ n: 0 }]);
    expect(idleErrors.join()).toContain('terminating connection');
  });

  it('answers database-down for a transaction that was under way', async () => {
    const account = randomUUID();
    const interrupted = inAccount(store, account, async (manager) => {
      await manager.query('INSERT INTO notes (account, text) VALUES ($1, $2)', [account, 'lost']);
      await postgres.restart();
      await manager.query('SELECT 1');
    });
    await expect(interrupted).rejects.toMatchObject({ kind: 'unavailable', slug: 'database-down' });
    expect(await inAccount(store, account, (manager) => manager.query('SELECT * FROM notes'))).toEqual([]);
  });
});
