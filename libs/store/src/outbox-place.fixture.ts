import { randomUUID } from 'node:crypto';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { openStore } from './data-source.js';
import { enqueue } from './enqueue.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
import { counted, countersStore } from './outbox.fixture.js';
import type { OutboxRow } from './publish-in-order.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export const account = randomUUID();
export const say =
  (n: number, aggregate: string = account) =>
  (sql: EntityManager): Promise<string> =>
    enqueue(sql, counted, { account, n }, { aggregate });
export const numbers = (rows: readonly OutboxRow[]): number[] => rows.map(({ body }) => (JSON.parse(body) as { n: number }).n);

/** An outbox with relays whose broker is an array, so that every answer of it can be had; `outbox-nats.service.spec.ts` has the real one. */
export class OutboxPlace {
  readonly published: OutboxRow[] = [];
  private readonly stores: DataSource[] = [];
  private readonly relays: OutboxRelay[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly url: string,
  ) {}

  static async make(): Promise<OutboxPlace> {
    const database = await withDatabase();
    const place = new OutboxPlace(database, await database.migrate(countersStore));
    await place.open();
    return place;
  }

  get store(): DataSource {
    return this.stores[0]!;
  }

  /** As another replica. */
  async open(): Promise<DataSource> {
    const opened = await openStore({ schema: 'counters', entities: [], url: this.url, onIdleError: () => undefined });
    this.stores.push(opened);
    return opened;
  }

  /** Its poll never comes unless asked for, so that a test sees what a commit alone does. */
  relay(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
    const publish = async (row: OutboxRow) => void this.published.push(row);
    const made = new OutboxRelay({ dataSource: this.store, publish, log: quiet, pollMs: 60_000, ...options });
    this.relays.push(made);
    made.start();
    return made;
  }

  async until(good: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 5))) if (await good()) return;
    throw new Error(`not within ${ms} ms; published: ${JSON.stringify(numbers(this.published))}`);
  }

  async asAdmin<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
    const admin = new pg.Client({ connectionString: this.database.adminUrl });
    await admin.connect();
    try {
      return (await admin.query<T>(sql)).rows;
    } finally {
      await admin.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.relays.map((relay) => relay.stop()));
    for (const each of this.stores) await each.destroy();
    await this.database.close();
  }
}
