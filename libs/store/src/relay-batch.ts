import type { DataSource } from 'typeorm';
import { asHouseError } from './database-errors.js';
import { publishInOrder, type OutboxRow, type Published, type PublishRow } from './publish-in-order.js';

export interface BatchLimits {
  /** Rows read at once. */
  readonly rows: number;
  /** Bytes of bodies read at once; one row may be larger. */
  readonly bytes: number;
  /** Publishes under way at once. */
  readonly window: number;
  /** Milliseconds in which publishes begin; the transaction stays open for as long, and the database ends idle ones. */
  readonly ms: number;
}

const usual: BatchLimits = { rows: 500, bytes: 8 * 1024 * 1024, window: 256, ms: 5_000 };

export interface Relayed extends Published {
  /** There may be rows that this batch had no room or no time for. */
  readonly more: boolean;
}

/**
 * One batch in one transaction: who gets the lock reads rows, publishes them, and removes those that the broker has
 * acknowledged. Whatever ends the transaction before its commit frees the lock and leaves the rows.
 *
 * @param without aggregates to leave out
 * @returns `elsewhere` when another replica holds the lock
 */
export async function relayBatch(
  dataSource: DataSource,
  publish: PublishRow,
  without: readonly string[],
  limits: Partial<BatchLimits> = {},
): Promise<Relayed | 'elsewhere'> {
  const { rows: most, bytes, window, ms } = { ...usual, ...limits };
  try {
    return await dataSource.transaction(async (sql) => {
      // Not waiting for the disk: a removal that a crash of the database undoes makes a duplicate, and those are recognised.
      const [lock] = (await sql.query(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('skillgate outbox ' || current_schema(), 0)) AS held,
           set_config('synchronous_commit', 'off', true)`,
      )) as { held: boolean }[];
      if (!lock?.held) return 'elsewhere';
      const rows = (await sql.query('SELECT * FROM outbox_next($1, $2, $3)', [most, bytes, without])) as OutboxRow[];
      const published = await publishInOrder(rows, publish, { window, until: Date.now() + ms });
      if (published.sent.length > 0) await sql.query('SELECT outbox_sent($1)', [published.sent.map(({ seq }) => seq)]);
      return { ...published, more: rows.length === most || published.sent.length < rows.length || bytesOf(rows) >= bytes };
    });
  } catch (error) {
    throw asHouseError(error);
  }
}

const bytesOf = (rows: readonly OutboxRow[]): number => rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
