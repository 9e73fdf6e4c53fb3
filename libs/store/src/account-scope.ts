import { accountId } from '@skillgate/contracts/words';
import type { DataSource, EntityManager } from 'typeorm';
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
  try {
    return await dataSource.transaction(async (manager) => {
      // Local to the transaction, so the connection's next borrower does not inherit it.
      await manager.query(`SELECT set_config('${accountSetting}', $1, true)`, [id]);
      return work(manager);
    });
  } catch (error) {
    throw asHouseError(error);
  }
}
