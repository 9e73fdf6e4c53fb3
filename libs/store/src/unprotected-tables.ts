import type pg from 'pg';

/** Tables that hold accounts and whose rows nothing guards: a forgotten `protectByAccount` shall not go unseen. */
export async function refuseUnprotected(admin: pg.Client, schema: string): Promise<void> {
  const { rows } = await admin.query<{ table: string }>(
    `SELECT c.relname AS table FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account' AND NOT a.attisdropped
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))
     ORDER BY 1`,
    [schema],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ table }) => `${schema}.${table}`).join(', ');
  throw new Error(`${names}: a column "account" and no row-level security. Call protectByAccount(runner, table) in its migration.`);
}
