import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { stores } from './house-services.js';

// Every table of every service, as PostgreSQL knows it: a new one is guarded by account, or stands here with a reason.
const withoutAccounts: Record<string, string> = {
  migrations: 'names of migrations',
  outbox: 'write-only for the service; rows leave by a function of the owner',
  'accounts.tiers': 'tiers of the platform',
  'accounts.tier_versions': 'what tiers of the platform once were',
  'catalog.served_profiles': 'profiles of the platform that an executor serves',
  'catalog.served_profiles_whole': 'whether those are known at all',
  'catalog.shelf_revision': 'a counter',
  'catalog.skill_files': 'files of skills of the platform',
  'catalog.skill_settings': 'which version of a skill of the platform is offered',
  'catalog.skill_versions': 'skills of the platform',
  'registry.executors': 'executors of the platform',
  'registry.approved_tools': 'manifests of the platform',
  'registry.tool_names': 'names that tools of the platform were given',
  'registry.profile_policies': "the operator's policies, for all accounts",
};

interface Table {
  schema: string;
  name: string;
  /** Which column the policy compares with the account; null without row-level security that is forced. */
  column: string | null;
}

const [ann, bob] = [randomUUID(), randomUUID()];

let database: TestDatabase;
let admin: DataSource;
let tables: Table[];
const services = new Map<string, DataSource>();

beforeAll(async () => {
  database = await withDatabase();
  for (const store of stores) {
    const url = await database.migrate(store);
    // One connection: what one account leaves on it, the next would find.
    services.set(store.schema, await openStore({ schema: store.schema, entities: [], url, pool: { max: 1 } }));
  }
  admin = await openStore({ schema: 'public', entities: [], url: database.adminUrl, pool: { max: 1 } });
  tables = await admin.query(
    `SELECT n.nspname AS schema, c.relname AS name, (SELECT substring(pg_get_expr(p.polqual, c.oid) FROM '^\\((\\w+) = ')
       FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_account' AND c.relrowsecurity AND c.relforcerowsecurity) AS "column"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') ORDER BY 1, 2`,
    [stores.map(({ schema }) => schema)],
  );
}, 60_000);

afterAll(async () => {
  for (const service of services.values()) await service.destroy();
  await admin?.destroy();
  await database?.close();
});

const guarded = () => tables.filter((table): table is Table & { column: string } => table.column !== null);
const full = ({ schema, name }: Table) => `"${schema}"."${name}"`;
const may = async (table: Table, right: string): Promise<boolean> => {
  const [row] = await services.get(table.schema)!.query('SELECT has_table_privilege($1, $2) AS may', [full(table), right]);
  return row.may as boolean;
};

/** A row with something in every column that needs something; rules between tables are no matter here. */
async function plant(table: Table & { column: string }, account: string): Promise<void> {
  const columns: { name: string; type: string; needed: boolean }[] = await admin.query(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS needed
     FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
    [full(table)],
  );
  const row = columns.filter(({ name, needed }) => needed || name === table.column);
  const values = row.map(({ name, type }) => (name === table.column ? account : something(type)));
  const names = row.map(({ name }) => `"${name}"`).join(', ');
  await admin.query(`INSERT INTO ${full(table)} (${names}) VALUES (${row.map((_, n) => `$${n + 1}`).join(', ')})`, values);
}

function something(type: string): unknown {
  if (type.endsWith('[]')) return '{}';
  if (type === 'uuid') return randomUUID();
  if (type === 'bytea') return randomBytes(32);
  if (type === 'boolean') return false;
  if (/^(integer|bigint|smallint|numeric|double precision|real)$/.test(type)) return Math.floor(Math.random() * 30_000);
  if (type.startsWith('timestamp') || type === 'date') return new Date();
  if (type.startsWith('json')) return '{}';
  return randomUUID().slice(0, 12);
}

describe('every table of every service', () => {
  it('is guarded by account, or known to hold none', () => {
    expect(new Set(tables.map(({ schema }) => schema))).toEqual(new Set(stores.map(({ schema }) => schema)));
    const open = tables.filter(({ column }) => column === null).map(({ schema, name }) => `${schema}.${name}`);
    const reasonOf = (name: string) => [name, name.split('.')[1]!].find((known) => known in withoutAccounts);
    expect(open.filter((name) => !reasonOf(name))).toEqual([]);
    const stale = Object.keys(withoutAccounts).filter((known) => !open.some((name) => reasonOf(name) === known));
    expect(stale).toEqual([]);
  });

  it('has no policy beside those that the house makes', async () => {
    const policies: { name: string }[] = await admin.query(
      `SELECT DISTINCT polname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
       WHERE c.relnamespace::regnamespace::text = ANY ($1)`,
      [stores.map(({ schema }) => schema)],
    );
    // `of_platform` lets a service add audit entries of no account, and read none.
    expect(policies.map(({ name }) => name).sort()).toEqual(['across_accounts', 'of_platform', 'own_account']);
  });

  it('shows alternating accounts their own rows on one connection, takes none for another, and shows none to who forgot', async () => {
    await admin.query(`SET session_replication_role = replica`); // no foreign keys, no triggers
    const checks: { table: string; name: string }[] = await admin.query(
      `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
       WHERE contype = 'c' AND connamespace::regnamespace::text = ANY ($1)`,
      [stores.map(({ schema }) => schema)],
    );
    for (const { table, name } of checks) await admin.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
    expect(guarded().length).toBeGreaterThan(15);

    for (const table of guarded()) {
      for (const account of [ann, bob]) await plant(table, account);
      const service = services.get(table.schema)!;
      const { column } = table;
      const seen = (sql: Pick<DataSource, 'query'>) => sql.query(`SELECT DISTINCT "${column}" AS of FROM ${full(table)}`);
      if (await may(table, 'SELECT')) {
        for (const account of [ann, bob, ann]) {
          expect([full(table), await inAccount(service, account, seen)]).toEqual([full(table), [{ of: account }]]);
        }
        expect([full(table), await seen(service)]).toEqual([full(table), []]);
        expect([full(table), await service.transaction(seen)]).toEqual([full(table), []]);
      }
      if (await may(table, 'UPDATE')) {
        const theft = inAccount(service, ann, (sql) => sql.query(`UPDATE ${full(table)} SET "${column}" = $1 RETURNING 1`, [bob]));
        await expect(theft).rejects.toThrow('row-level security');
        const forgotten = (await service.query(`UPDATE ${full(table)} SET "${column}" = "${column}" RETURNING 1`)) as [unknown[], number];
        expect([full(table), forgotten[1]]).toEqual([full(table), 0]);
      }
      if (await may(table, 'DELETE')) {
        const forgotten = (await service.query(`DELETE FROM ${full(table)} RETURNING 1`)) as [unknown[], number];
        expect([full(table), forgotten[1]]).toEqual([full(table), 0]);
      }
    }
  }, 60_000);
});
