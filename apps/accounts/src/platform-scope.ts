import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';

/** A query of no account: of an id function, or of a table without accounts. */
export async function acrossAccounts(dataSource: DataSource, query: string, parameters?: unknown[]): Promise<unknown> {
  try {
    return await dataSource.query(query, parameters);
  } catch (error) {
    throw asHouseError(error);
  }
}

/** One transaction for what belongs to the platform; rows of accounts are not to be seen in it. */
export async function inPlatform<T>(dataSource: DataSource, work: (sql: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    throw asHouseError(error);
  }
}
