import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { inAccount } from './account-scope.js';
import { openStore } from './data-source.js';
import { migrateService } from './migrate.js';
import { notesStore } from './notes.fixture.js';
import { acrossAccounts } from './policies.js';
import type { StoreDefinition } from './store-definition.js';

let database: TestDatabase;
const opened: DataSource[] = [];

beforeEach(async () => {
  database = await withDatabase();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.destroy();
  await database.close();
});

async function open(definition: StoreDefinition): Promise<DataSource> {
  const store = await openStore({ schema: definition.schema, entities: [], url: await database.migrate(definition) });
  opened.push(store);
  return store;
}

async function asAdmin<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    return (await admin.query<T>(sql)).rows;
  } finally {
    await admin.end();
  }
}

describe('migrating a service', () => {
  it('runs once when three instances start at the same time', async () => {
    class BackfillOnce1700000000002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE backfill (n int)');
        await runner.query('INSERT INTO backfill SELECT 1 FROM pg_sleep(0.3)');
      }
      async down(): Promise<void> {}
    }
    const definition = notesStore('notes', BackfillOnce1700000000002);
    const ran = await Promise.all([1, 2, 3].map(() => migrateService(database.migration(definition))));
    expect(ran.map((names) => names.length).sort()).toEqual([0, 0, 2]);
    expect(await asAdmin('SELECT n FROM notes.backfill')).toEqual([{ n: 1 }]);
  });

  it('lets three services start at once on an empty database', async () => {
    const urls = await Promise.all(['notes', 'drafts', 'letters'].map((schema) => database.migrate(notesStore(schema))));
    expect(new Set(urls).size).toBe(3);
  });

  it('leaves nothing behind when a migration fails', async () => {
    class Broken1700000000002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('SELECT no_such_function()');
      }
      async down(): Promise<void> {}
    }
    await expect(database.migrate(notesStore('notes', Broken1700000000002))).rejects.toThrow('no_such_function');
    expect(await asAdmin(`SELECT to_regclass('notes.notes') AS found`)).toEqual([{ found: null }]);
    await database.migrate(notesStore('notes'));
  });

  it('names a table that has accounts and no policy', async () => {
    class Unprotected1700000000002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE secrets (account uuid)');
      }
      async down(): Promise<void> {}
    }
    await expect(database.migrate(notesStore('notes', Unprotected1700000000002))).rejects.toThrow('notes.secrets: a column "account"');
  });

  it('changes the rows of all accounts in a migration that says so, and none in one that does not', async () => {
    const [ann, bob] = [randomUUID(), randomUUID()];
    const store = await open(notesStore('notes'));
    for (const account of [ann, bob]) {
      await inAccount(store, account, (manager) => manager.query(`INSERT INTO notes (account, text) VALUES ($1, 'old')`, [account]));
    }
    class Forgetful1700000000002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`UPDATE notes SET text = 'forgetful'`);
      }
      async down(): Promise<void> {}
    }
    class Careful1700000000003 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await acrossAccounts(runner, () => runner.query(`UPDATE notes SET text = text || ', careful'`));
      }
      async down(): Promise<void> {}
    }
    await database.migrate(notesStore('notes', Forgetful1700000000002, Careful1700000000003));
    expect(await asAdmin('SELECT DISTINCT text FROM notes.notes')).toEqual([{ text: 'old, careful' }]);
  });
});

describe('the roles of a service', () => {
  it('keep it out of another service\'s schema', async () => {
    await open(notesStore('letters'));
    const store = await open(notesStore('notes'));
    await expect(store.query('SELECT * FROM letters.notes')).rejects.toThrow('permission denied for schema letters');
    await expect(store.query('SELECT * FROM letters.find_notes($1)', ['x'])).rejects.toThrow('permission denied for schema letters');
  });

  it('let it neither own nor change tables, nor become the owner', async () => {
    const store = await open(notesStore('notes'));
    await expect(store.query('ALTER TABLE notes DISABLE ROW LEVEL SECURITY')).rejects.toThrow('must be owner of table notes');
    await expect(store.query('CREATE TABLE mine (n int)')).rejects.toThrow('permission denied for schema notes');
    await expect(store.query(`SET ROLE notes_owner_${database.name}`)).rejects.toThrow('permission denied to set role');
    await expect(store.query('TRUNCATE notes')).rejects.toThrow('permission denied for table notes');
  });

  it('bind the owner as well', async () => {
    const store = await open(notesStore('notes'));
    const ann = randomUUID();
    await inAccount(store, ann, (manager) => manager.query(`INSERT INTO notes (account, text) VALUES ($1, 'x')`, [ann]));
    const admin = new pg.Client({ connectionString: database.adminUrl, options: `-c role=notes_owner_${database.name}` });
    await admin.connect();
    expect((await admin.query('SELECT * FROM notes.notes')).rows).toEqual([]);
    await admin.end();
  });

  it('are refused when the service role could pass row-level security', async () => {
    await database.migrate(notesStore('notes'));
    await asAdmin(`ALTER ROLE notes_${database.name} BYPASSRLS`);
    await expect(database.migrate(notesStore('notes'))).rejects.toThrow('bypasses row-level security');
    await asAdmin(`ALTER ROLE notes_${database.name} NOBYPASSRLS`);
    await asAdmin(`GRANT notes_owner_${database.name} TO notes_${database.name}`);
    await expect(database.migrate(notesStore('notes'))).rejects.toThrow('is a member of the owner role');
  });
});

describe('an id function', () => {
  it('finds ids across accounts, for the service alone, whatever the caller put into its search path', async () => {
    const store = await open(notesStore('notes'));
    const ann = randomUUID();
    await inAccount(store, ann, (manager) => manager.query(`INSERT INTO notes (account, text) VALUES ($1, 'needle')`, [ann]));
    await store.transaction(async (manager) => {
      await manager.query(`CREATE TEMP TABLE notes (id uuid, account uuid, text text)`);
      await manager.query(`SET LOCAL search_path = pg_temp, notes`);
      const found = (await manager.query(`SELECT account FROM find_notes('needle')`)) as { account: string }[];
      expect(found).toEqual([{ account: ann }]);
    });
    const grants = await asAdmin<{ acl: string }>(`SELECT proacl::text AS acl FROM pg_proc WHERE proname = 'find_notes'`);
    expect(grants[0]?.acl).not.toContain('{='); // an empty grantee is PUBLIC
    expect(grants[0]?.acl).not.toContain(',=');
  });
});
