import { migrateService } from '@skillgate/store/migrate';
import { stores } from './house-services.js';

/**
 * Brings every service's schema up to date. Safe to run at any time and from anywhere: one runs, the others wait.
 *
 * @param adminUrl PostgreSQL superuser, or a role with CREATEROLE and CREATE on the database
 * @param passwordOf of the service's own database role
 * @returns migrations that ran here, as `schema: name`
 */
export async function migrateHouse(adminUrl: string, passwordOf: (schema: string) => string): Promise<string[]> {
  const ran: string[] = [];
  for (const { schema, migrations } of stores) {
    const roles = { serviceRole: schema, ownerRole: `${schema}_owner`, servicePassword: passwordOf(schema) };
    const names = await migrateService({ adminUrl, schema, ...roles, migrations });
    ran.push(...names.map((name) => `${schema}: ${name}`));
  }
  return ran;
}
