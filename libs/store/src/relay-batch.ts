import type pg from 'pg';
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

const usual: BatchLimits = { rows: 500, bytes: 8 * 1024 * 1024, window: 500, ms: 5_000 };

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
  const runner = dataSource.createQueryRunner();
  try {
    // TypeORM gives its statements one round trip each; those of a batch cost more than all else in it.
    const connection = (await runner.connect()) as pg.ClientBase;
    try {
      const [held, rows] = await begin(connection, most, bytes, without);
      if (!held) {
        await connection.query('ROLLBACK');
        return 'elsewhere';
      }
      const published = await publishInOrder(rows, publish, { window, until: Date.now() + ms });
      await commit(connection, published.sent);
      return { ...published, more: rows.length === most || published.sent.length < rows.length || bytesOf(rows) >= bytes };
    } catch (error) {
      await connection.query('ROLLBACK').catch(() => undefined); // a broken connection has rolled back by itself
      throw error;
    }
  } catch (error) {
    throw asHouseError(error);
  } finally {
    await runner.release();
  }
}

/** Several statements in one message take no parameters, and each of them sees what was committed before it: the lock first. */
async function begin(connection: pg.ClientBase, most: number, bytes: number, without: readonly string[]): Promise<[boolean, OutboxRow[]]> {
  // Not waiting for the disk: a removal that a crash of the database undoes makes a duplicate, and those are recognised.
  const answers = (await connection.query(`BEGIN; SET LOCAL synchronous_commit TO off;
    SELECT set_config('skillgate.relaying', pg_try_advisory_xact_lock(hashtextextended('skillgate outbox ' || current_schema(), 0))::text, true) AS held;
    SELECT seq, id, subject, aggregate, body, trace, extract(epoch FROM enqueued_at)::float8 * 1000 AS "enqueuedAt"
    FROM outbox_next(${most}, ${bytes}, ARRAY[${without.map((each) => connection.escapeLiteral(each)).join()}]::text[])
    WHERE current_setting('skillgate.relaying') = 'true'`)) as unknown as pg.QueryResult[];
  const held = (answers[2]!.rows as { held: string }[])[0]!.held === 'true';
  return [held, answers[3]!.rows as OutboxRow[]];
}

async function commit(connection: pg.ClientBase, sent: readonly OutboxRow[]): Promise<void> {
  const remove = sent.length > 0 ? `SELECT outbox_sent('{${sent.map(({ seq }) => seq).join()}}');` : '';
  await connection.query(`${remove} COMMIT`);
}

const bytesOf = (rows: readonly OutboxRow[]): number => rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
