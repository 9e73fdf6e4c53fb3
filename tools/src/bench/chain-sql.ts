import pg from 'pg';

/** Bytes of what one commit writes: as the house writes in a turn, in the order of its commits. */
export const writtenBytes = [2_000, 22_000, 22_000, 22_000] as const;

export const chainTables = `
  CREATE TABLE facts (account uuid PRIMARY KEY, body text);
  CREATE TABLE journal (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account uuid, turn uuid, body text);
`;

/** A pool as large as that of a service of the house. */
export const openPool = (connectionString: string): pg.Pool => new pg.Pool({ connectionString, max: 10 });

/** One statement in one transaction with the account set in it: four round trips, as nobody who writes SQL by hand gets below. */
export async function inTransaction(pool: pg.Pool, account: string, sql: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('bare.account', $1, true)`, [account]);
    const result = await client.query(sql, values);
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

export const readFacts = (pool: pg.Pool, account: string): Promise<pg.QueryResult> => inTransaction(pool, account, 'SELECT body FROM facts WHERE account = $1', [account]);

export const writeDown = (pool: pg.Pool, account: string, turn: string, body: string): Promise<pg.QueryResult> =>
  inTransaction(pool, account, 'INSERT INTO journal (account, turn, body) VALUES ($1, $2, $3)', [account, turn, body]);
