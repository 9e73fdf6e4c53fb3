import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withDatabase } from './with-database.js';

class CreateThings1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (n int)');
  }
  async down(): Promise<void> {}
}
const things = { schema: 'things', migrations: [CreateThings1700000000001], entities: [] };

async function ask(url: string, sql: string, ...values: unknown[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

describe('withDatabase', () => {
  it('gives tests that run at once the same service in databases and roles of their own', async () => {
    const databases = await Promise.all([withDatabase(), withDatabase()]);
    const urls = await Promise.all(databases.map((database) => database.migrate(things)));
    const users = await Promise.all(urls.map((url) => ask(url, 'SELECT current_user AS user')));
    expect(new Set(users.map((rows) => JSON.stringify(rows))).size).toBe(2);
    await Promise.all(databases.map((database) => database.close()));
  });

  it('leaves neither database nor roles behind, also with a client that forgot to leave', async () => {
    const database = await withDatabase();
    const forgetful = new pg.Client({ connectionString: await database.migrate(things) });
    const thrownOut = new Promise((resolve) => forgetful.on('error', resolve));
    await forgetful.connect();
    await database.close();
    await thrownOut;
    const server = process.env.SKILLGATE_TEST_PG_ADMIN_URL as string;
    expect(await ask(server, 'SELECT 1 FROM pg_database WHERE datname = $1', database.name)).toEqual([]);
    expect(await ask(server, `SELECT rolname FROM pg_roles WHERE rolname LIKE '%' || $1`, database.name)).toEqual([]);
  });
});
