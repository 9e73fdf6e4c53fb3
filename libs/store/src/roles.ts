import type pg from 'pg';
import { identifier } from './sql-names.js';

export interface Roles {
  schema: string;
  /** Owns the schema and its tables; nobody can log in as it. */
  ownerRole: string;
  /** What the service connects as. */
  serviceRole: string;
  servicePassword: string;
}

/** Makes the schema and its two roles, or checks those that are there. Run under the migration lock. */
export async function prepareRoles(admin: pg.Client, roles: Roles): Promise<void> {
  const [schema, owner, service] = [roles.schema, roles.ownerRole, roles.serviceRole].map(identifier) as [string, string, string];
  if (!(await exists(admin, roles.ownerRole))) await admin.query(`CREATE ROLE ${owner} NOLOGIN NOINHERIT`);
  if (!(await exists(admin, roles.serviceRole))) await admin.query(`CREATE ROLE ${service} LOGIN NOINHERIT`);
  await refusePowerfulService(admin, roles);
  await admin.query(`ALTER ROLE ${service} PASSWORD ${admin.escapeLiteral(roles.servicePassword)}`);
  // An admin without superuser rights may create objects for a role only as its member.
  const { rows } = await admin.query<{ super: boolean }>('SELECT rolsuper AS super FROM pg_roles WHERE rolname = current_user');
  if (!rows[0]?.super) await admin.query(`GRANT ${owner} TO CURRENT_USER WITH SET TRUE, INHERIT FALSE`);
  await admin.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`);
  await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${service}`);
}

const exists = async (admin: pg.Client, role: string): Promise<boolean> =>
  ((await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])).rowCount ?? 0) > 0;

/** A role from elsewhere may carry rights that row-level security does not bind; better no start than no isolation. */
async function refusePowerfulService(admin: pg.Client, { ownerRole, serviceRole }: Roles): Promise<void> {
  const { rows } = await admin.query<{ super: boolean; bypass: boolean; member: boolean; owner_login: boolean }>(
    `SELECT s.rolsuper AS super, s.rolbypassrls AS bypass, pg_has_role(s.oid, o.oid, 'MEMBER') AS member, o.rolcanlogin AS owner_login
     FROM pg_roles s, pg_roles o WHERE s.rolname = $1 AND o.rolname = $2`,
    [serviceRole, ownerRole],
  );
  const found = rows[0];
  const wrong = found?.super
    ? 'is a superuser'
    : found?.bypass
      ? 'bypasses row-level security'
      : found?.member
        ? `is a member of the owner role ${ownerRole}`
        : undefined;
  if (wrong) throw new Error(`database role ${serviceRole} ${wrong}: take that right away, or name another service role.`);
  if (found?.owner_login) throw new Error(`owner role ${ownerRole} can log in. Run: ALTER ROLE ${identifier(ownerRole)} NOLOGIN`);
}
