import pg from 'pg';
import { DataSource } from 'typeorm';
import { refuseUnprotected } from './unprotected-tables.js';
import { prepareRoles, type Roles } from './roles.js';
import { identifier } from './sql-names.js';
import type { StoreDefinition } from './store-definition.js';

/** One lock for all services of a database: their migrations also touch what the whole database shares. */
const migrationLock = 'skillgate migrations';

const lockTimeout = '120s'; // longer than any migration that others should wait for

export interface Migration extends Roles, Pick<StoreDefinition, 'migrations'> {
  /** A superuser, or a role with CREATEROLE and CREATE on the database. */
  adminUrl: string;
}

/**
 * Brings one service's schema up to date: schema, owner role (no login), service role, then the migrations that have not
 * run, as the owner, in one transaction. Any number may start at once: the lock is held from before the first look until
 * after the last change, and those who waited find nothing left to do.
 *
 * @returns names of the migrations that ran here
 * @throws when the lock is not free within 120 s, a migration fails (nothing of this run stays), or a table that has an
 *   `account` column stands without its policies
 */
export async function migrateService(migration: Migration): Promise<string[]> {
  for (const name of [migration.schema, migration.ownerRole, migration.serviceRole]) identifier(name);
  const admin = new pg.Client({ connectionString: migration.adminUrl, application_name: `migrate ${migration.schema}` });
  admin.on('error', () => undefined); // its loss also fails the query under way, or `end`
  await admin.connect();
  try {
    await admin.query(`SET lock_timeout = '${lockTimeout}'`);
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [migrationLock]); // freed when the session ends
    await prepareRoles(admin, migration);
    const ran = await runAsOwner(migration);
    await refuseUnprotected(admin, migration.schema);
    return ran;
  } finally {
    await admin.end();
  }
}

async function runAsOwner({ adminUrl, schema, ownerRole, serviceRole, migrations }: Migration): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema,
    migrations: [...migrations],
    applicationName: `migrate ${schema}`,
    poolSize: 1,
    installExtensions: false,
    logger: 'debug', // the default writes to standard output, which belongs to the command; a failure is thrown
    extra: { options: `-c role=${ownerRole} -c search_path=${schema} -c skillgate.service_role=${serviceRole}` },
  });
  await dataSource.initialize();
  try {
    return (await dataSource.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
