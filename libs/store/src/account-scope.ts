import { accountId } from '@skillgate/contracts/words';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { asHouseError } from './database-errors.js';
import { accountSetting } from './policies.js';

/**
 * Runs `work` in one transaction that sees the rows of one account. Every access to a table with accounts goes through
 * here: outside of it the policies show no row and take none.
 *
 * Never await a model or a tool inside: the transaction holds a connection of the pool.
 *
 * @throws unavailable `database-busy` (no connection free in time) and `database-down`; else what `work` throws
 */
export async function inAccount<T>(dataSource: DataSource, account: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  const id = accountId.parse(account);
  const runner = dataSource.createQueryRunner();
  try {
    await begin(runner, id);
    try {
      const result = await work(runner.manager);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined); // the connection may be what broke; the first error is the one to tell
      throw error;
    }
  } catch (error) {
    throw asHouseError(error);
  } finally {
    await runner.release();
  }
}

/**
 * Opens the transaction with its account in one round trip: nearly everything that the house asks a database begins with it, and TypeORM
 * would wait for the one before it sends the other. TypeORM is told that it has begun, as its own `startTransaction` does.
 *
 * @param account a checked id: it stands in the statement, since several in one trip take no parameters
 */
async function begin(runner: QueryRunner, account: string): Promise<void> {
  // Local to the transaction, so the connection's next borrower does not inherit it.
  await runner.query(`START TRANSACTION; SELECT set_config('${accountSetting}', '${account}', true)`);
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
