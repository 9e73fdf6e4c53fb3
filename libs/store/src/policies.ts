import type { QueryRunner } from 'typeorm';
import { identifier } from './sql-names.js';

/** The transaction-local setting that holds the account; `inAccount` sets it. */
export const accountSetting = 'skillgate.account';

/** Set within id functions, `acrossAccounts` and triggers that change rows of several accounts; only the owner role's policy heeds it. */
export const acrossSetting = 'skillgate.across';

export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/**
 * Row-level security for a table with an account column: a transaction sees and writes the rows of its own account, and
 * without an account none. FORCE makes that true for the owner as well, save where `skillgate.across` is on.
 *
 * @param column of type uuid
 */
export async function protectByAccount(runner: QueryRunner, table: string, column = 'account'): Promise<void> {
  const [name, account] = [identifier(table), identifier(column)];
  await runner.query(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  // A connection that once had the setting answers '' and not NULL afterwards; '' is no uuid.
  const own = `${account} = nullif(current_setting('${accountSetting}', true), '')::uuid`;
  const across = `current_setting('${acrossSetting}', true) = 'on'`;
  await runner.query(`CREATE POLICY own_account ON ${name} USING (${own})`);
  await runner.query(`CREATE POLICY across_accounts ON ${name} TO CURRENT_USER USING (${across})`);
}

/** Lets the service use a table. Its identity columns need no grant of their own; a sequence made by hand does. */
export async function grantToService(
  runner: QueryRunner,
  table: string,
  privileges: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
): Promise<void> {
  await runner.query(`GRANT ${privileges.join(', ')} ON ${identifier(table)} TO ${identifier(await serviceRole(runner))}`);
}

/**
 * A read across accounts, as a function that answers with ids and nothing else: the lookup of a key, the scan of an outbox.
 * It runs as the owner with its search path pinned, so that no caller's table can stand in for ours.
 *
 * @param shape.arguments such as `hash text`; the query names them
 * @param shape.returns column names with their types
 * @param shape.query one SELECT that yields those columns in that order
 */
export async function createIdFunction(
  runner: QueryRunner,
  name: string,
  shape: { arguments?: string; returns: Readonly<Record<string, 'uuid' | 'bigint'>>; query: string },
): Promise<void> {
  await createDefinerFunction(runner, name, {
    arguments: shape.arguments,
    returns: shape.returns,
    // A SET clause beside search_path would do, but only a superuser may write one for a setting of ours.
    body: `PERFORM set_config('${acrossSetting}', 'on', true);
      RETURN QUERY ${shape.query};
      PERFORM set_config('${acrossSetting}', '', true);`,
    stable: true,
  });
}

/**
 * A function that runs as the owner for the service alone, with its search path pinned. For a service's own queues (see
 * `createOutbox`); reads across accounts go through `createIdFunction`.
 *
 * @param shape.returns column names with their types; empty: returns nothing
 * @param shape.body PL/pgSQL statements
 */
export async function createDefinerFunction(
  runner: QueryRunner,
  name: string,
  shape: { arguments?: string; returns: Readonly<Record<string, string>>; body: string; stable?: boolean },
): Promise<void> {
  const columns = Object.entries(shape.returns).map(([column, type]) => `${identifier(column)} ${type}`);
  const schema = identifier(await currentSchema(runner));
  const signature = `${schema}.${identifier(name)}`;
  await runner.query(`
    CREATE FUNCTION ${signature}(${shape.arguments ?? ''}) RETURNS ${columns.length > 0 ? `TABLE (${columns.join(', ')})` : 'void'}
    LANGUAGE plpgsql ${shape.stable ? 'STABLE' : 'VOLATILE'} SECURITY DEFINER SET search_path = pg_catalog, ${schema}, pg_temp
    AS $function$
    #variable_conflict use_column
    BEGIN
      ${shape.body}
    END $function$`);
  await runner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`); // functions are open to everybody when made
  await runner.query(`GRANT EXECUTE ON FUNCTION ${signature} TO ${identifier(await serviceRole(runner))}`);
}

/** For a migration that changes rows of all accounts: without it the policies show it no row, and it would do nothing. */
export async function acrossAccounts<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query(`SELECT set_config('${acrossSetting}', 'on', true)`);
  const result = await work();
  await runner.query(`SELECT set_config('${acrossSetting}', '', true)`);
  return result;
}

/** Told by `migrateService` through the session, since TypeORM hands a migration its query runner alone. */
async function serviceRole(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query(`SELECT current_setting('skillgate.service_role', true) AS role`)) as { role: string | null }[];
  if (!row?.role) throw new Error('skillgate.service_role is not set: run migrations through migrateService, not through TypeORM itself');
  return row.role;
}

async function currentSchema(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT current_schema() AS schema')) as { schema: string }[];
  return (row as { schema: string }).schema;
}
