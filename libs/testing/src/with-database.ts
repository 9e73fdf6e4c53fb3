import { randomBytes } from 'node:crypto';
import { migrateService, type Migration } from '@skillgate/store/migrate';
import type { StoreDefinition } from '@skillgate/store/store-definition';
import pg from 'pg';
import { plant } from './planted.js';

export interface TestDatabase {
  readonly name: string;
  /** Superuser: for looking behind the curtain, never for the code under test. */
  readonly adminUrl: string;
  /** What `migrateService` takes for that store here; `close` drops the roles. */
  migration(store: StoreDefinition): Migration;
  /** Creates the service's schema and roles, runs its migrations, answers with the URL that the service connects with. */
  migrate(store: StoreDefinition): Promise<string>;
  /** Drops the database, whoever is still connected, and the roles made for it. */
  close(): Promise<void>;
}

/**
 * A fresh database on the PostgreSQL of this jest run.
 *
 * Roles belong to the whole server, so those of this database carry its name: test files run at the same time.
 */
export async function withDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.SKILLGATE_TEST_PG_ADMIN_URL;
  if (!serverUrl) {
    throw new Error('SKILLGATE_TEST_PG_ADMIN_URL is not set: a test that needs PostgreSQL is named *.service.spec.ts; jest starts one');
  }
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asAdmin(serverUrl, (admin) => admin.query(`CREATE DATABASE ${name}`));
  const adminUrl = withPath(serverUrl, name);
  const roles = new Set<string>();
  const servicePassword = plant('database');
  const migration = (store: StoreDefinition): Migration => {
    const [serviceRole, ownerRole] = [`${store.schema}_${name}`, `${store.schema}_owner_${name}`];
    roles.add(serviceRole).add(ownerRole);
    return { adminUrl, schema: store.schema, ownerRole, serviceRole, servicePassword, migrations: store.migrations };
  };
  return {
    name,
    adminUrl,
    migration,
    async migrate(store) {
      const wanted = migration(store);
      await migrateService(wanted);
      const url = new URL(adminUrl);
      url.username = wanted.serviceRole;
      url.password = servicePassword;
      return url.href;
    },
    async close() {
      await asAdmin(serverUrl, async (admin) => {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        for (const role of roles) await admin.query(`DROP ROLE IF EXISTS ${admin.escapeIdentifier(role)}`);
      });
    },
  };
}

const withPath = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

async function asAdmin(url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
