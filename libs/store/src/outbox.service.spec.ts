import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { breach, unavailable } from '@skillgate/contracts/refusal';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { inAccount } from './account-scope.js';
import { openStore } from './data-source.js';
import { enqueue, enqueueAll, outgoing } from './enqueue.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
import { describeOutbox } from './outbox-state.js';
import { counted, countersStore } from './outbox.fixture.js';
import type { OutboxRow } from './publish-in-order.js';

/** In the broker's place, so that every answer of it can be had; `outbox-nats.service.spec.ts` has the real one. */
let database: TestDatabase;
let url: string;
let store: DataSource;
const stores: DataSource[] = [];
const relays: OutboxRelay[] = [];
let published: OutboxRow[];

beforeEach(async () => {
  database = await withDatabase();
  url = await database.migrate(countersStore);
  store = await open();
  published = [];
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  for (const each of stores.splice(0)) await each.destroy();
  await database.close();
});

async function open(): Promise<DataSource> {
  const opened = await openStore({ schema: 'counters', entities: [], url, onIdleError: () => undefined });
  stores.push(opened);
  return opened;
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A poll that never comes unless asked for, so that a test sees what a commit alone does. */
function relay(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
  const made = new OutboxRelay({ dataSource: store, publish: async (row) => void published.push(row), log: quiet, pollMs: 60_000, ...options });
  relays.push(made);
  made.start();
  return made;
}

const account = randomUUID();
const say = (n: number, aggregate: string = account) => (sql: EntityManager) => enqueue(sql, counted, { account, n }, { aggregate });
const numbers = (rows = published) => rows.map(({ body }) => (JSON.parse(body) as { n: number }).n);

async function until(good: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 5))) if (await good()) return;
  throw new Error(`not within ${ms} ms; published: ${JSON.stringify(numbers())}`);
}

async function asAdmin<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    return (await admin.query<T>(sql)).rows;
  } finally {
    await admin.end();
  }
}

describe('an event in the outbox', () => {
  it('leaves when its transaction is committed, with its id, subject, body and time, and is then removed', async () => {
    const began = Date.now();
    const made = relay();
    const id = await inAccount(store, account, say(1));
    await until(() => published.length === 1);
    expect(published[0]).toMatchObject({ id, subject: counted.subject, aggregate: account, body: JSON.stringify({ account, n: 1 }) });
    expect(published[0]!.enqueued_at.getTime()).toBeGreaterThanOrEqual(began - 1_000);
    await until(async () => (await made.state()).waiting === 0);
    expect(await made.state()).toMatchObject({ sent: 1, oldestMs: 0, held: [] });
  });

  it('never leaves when its transaction is rolled back', async () => {
    relay({ pollMs: 10 });
    const failing = store.transaction(async (sql) => {
      await say(1)(sql);
      await sql.query('INSERT INTO counters VALUES ($1, 1)', ['x']);
      await new Promise((resolve) => setTimeout(resolve, 100)); // the relay looks meanwhile
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await store.transaction(say(2));
    await until(() => published.length > 0);
    expect(numbers()).toEqual([2]);
    expect(await store.query('SELECT * FROM counters')).toEqual([]);
  });

  it('is not taken outside of a transaction, where it could not belong to a change', async () => {
    await expect(say(1)(store.manager)).rejects.toThrow('needs the transaction of the change');
  });

  it('is checked before it is written, and its transaction fails with the reason', async () => {
    const wrong = store.transaction((sql) => enqueue(sql, counted, { account: 'nobody', n: 1 }, { aggregate: 'a' }));
    await expect(wrong).rejects.toMatchObject({ kind: 'breach', slug: 'invalid-event', message: expect.stringContaining('account') });
    const large = store.transaction((sql) => enqueue(sql, counted, { account, n: 1, text: 'x'.repeat(300_000) }, { aggregate: 'a' }));
    await expect(large).rejects.toMatchObject({ kind: 'breach', slug: 'message-too-large' });
    expect(await asAdmin('SELECT * FROM counters.outbox')).toEqual([]);
  });

  it('may be written by the service and neither read, changed nor deleted', async () => {
    await store.transaction(say(1));
    for (const forbidden of ['SELECT * FROM outbox', `UPDATE outbox SET body = '{}'`, 'DELETE FROM outbox', 'TRUNCATE outbox']) {
      await expect(store.query(forbidden)).rejects.toThrow('permission denied for table outbox');
    }
    const grants = await asAdmin<{ acl: string }>(`SELECT proacl::text AS acl FROM pg_proc WHERE proname LIKE 'outbox_%'`);
    expect(grants).toHaveLength(3);
    for (const { acl } of grants) expect(acl).not.toMatch(/[{,]=/); // an empty grantee is PUBLIC
  });

  it('keeps what text may hold', async () => {
    relay();
    const text = 'NUL \0, half a pair \ud800, "quotes", \\ and {braces, commas}';
    await store.transaction((sql) => enqueueAll(sql, [outgoing(counted, { account, n: 1, text }, 'a'), outgoing(counted, { account, n: 2 }, 'a, "b"')]));
    await until(() => published.length === 2);
    expect(JSON.parse(published[0]!.body)).toEqual({ account, n: 1, text });
    expect(published[1]!.aggregate).toBe('a, "b"');
  });
});

describe('the relay', () => {
  it('starts with what an earlier process left behind', async () => {
    await store.transaction(say(1));
    relay();
    await until(() => published.length === 1);
  });

  it('finds by its poll what a replica committed and did not relay', async () => {
    const other = await open();
    relay({ pollMs: 50 });
    await other.transaction(say(1));
    await until(() => published.length === 1);
  });

  it('keeps the order of an aggregate over many commits and batches', async () => {
    relay({ limits: { rows: 7 } });
    for (let n = 0; n < 60; n += 1) await store.transaction(say(n, `aggregate-${n % 3}`));
    await until(() => published.length === 60);
    for (const which of [0, 1, 2]) {
      const own = numbers(published.filter(({ aggregate }) => aggregate === `aggregate-${which}`));
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  it('in two replicas publishes each event once, in order, and relays what the other one enqueued while it was busy', async () => {
    const other = await open();
    relay();
    relay({ dataSource: other });
    await Promise.all(
      [store, other].map(async (dataSource, replica) => {
        for (let n = 0; n < 50; n += 1) await dataSource.transaction(say(n, `of-${replica}`));
      }),
    );
    await until(() => published.length >= 100);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(new Set(published.map(({ id }) => id)).size).toBe(published.length);
    for (const replica of [0, 1]) {
      expect(numbers(published.filter(({ aggregate }) => aggregate === `of-${replica}`))).toEqual(Array.from({ length: 50 }, (_, n) => n));
    }
  });

  it('looks again soon after it found another replica at work, whose look may have been too early', async () => {
    const other = await open();
    relay();
    await other.transaction(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate outbox counters', 0))`);
      await store.transaction(say(1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await until(() => published.length === 1, 500);
  });

  it('takes over from a replica whose connection broke while it published', async () => {
    const other = await open();
    let stuck = 0;
    relay({ dataSource: other, publish: () => new Promise((resolve) => (stuck += 1) && setTimeout(resolve, 500)) });
    await other.transaction(say(1));
    await until(() => stuck === 1);
    relay({ pollMs: 20 });
    await asAdmin(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()`);
    await until(() => published.length === 1);
  });

  it('waits longer and longer while the broker is away, says so, and goes on by itself', async () => {
    let away = true;
    const tries: number[] = [];
    const made = relay({
      publish: async (row) => {
        tries.push(Date.now());
        if (away) throw unavailable('wire-disconnected', 'NATS is away');
        published.push(row);
      },
    });
    await store.transaction(say(1));
    await store.transaction(say(2));
    await until(() => tries.length >= 2);
    const state = await made.state();
    expect(state).toMatchObject({ waiting: 2, lastError: 'NATS is away' });
    expect(describeOutbox(state)).toMatch(/^2 events wait, the oldest for \d+ s; NATS is away$/);
    expect(tries[1]! - tries[0]!).toBeGreaterThan(150);
    away = false;
    await until(() => published.length === 2);
    expect(numbers()).toEqual([1, 2]);
    await until(async () => (await made.state()).waiting === 0);
    expect(describeOutbox(await made.state())).toBeUndefined();
  });

  it('lets one event that the broker never takes hold up its aggregate and nothing else', async () => {
    let cured = false;
    let tries = 0;
    const made = relay({
      pollMs: 100,
      publish: async (row) => {
        if (row.aggregate === 'bad' && (tries += 1) && !cured) throw breach('unknown-event', 'no such event');
        published.push(row);
      },
    });
    await store.transaction(say(1, 'bad'));
    await store.transaction(say(2, 'bad'));
    await store.transaction(say(3, 'good'));
    await until(() => published.length === 1);
    expect(numbers()).toEqual([3]);
    const state = await made.state();
    expect(state).toMatchObject({ waiting: 2, held: [{ aggregate: 'bad', reason: 'no such event' }] });
    expect(describeOutbox(state)).toContain('no such event');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(tries).toBe(1);
    cured = true;
    await until(() => published.length === 3);
    expect(numbers()).toEqual([3, 1, 2]);
    expect((await made.state()).held).toEqual([]);
  });

  it('sends an event again that it published and could not remove', async () => {
    let first = true;
    relay({
      pollMs: 20,
      publish: async (row) => {
        published.push(row);
        if (!first) return;
        first = false;
        await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      },
    });
    const id = await store.transaction(say(1));
    await until(() => published.length === 2);
    expect(published.map((row) => row.id)).toEqual([id, id]);
  });

  it('relays what was committed last before it stops', async () => {
    const made = relay();
    await new Promise((resolve) => setTimeout(resolve, 50)); // it has looked, and sleeps
    await store.transaction(say(1));
    await made.stop();
    expect(numbers()).toEqual([1]);
  });

  it('reads no more at once than it was told in bytes, but a large row all the same', async () => {
    const text = 'x'.repeat(1_000);
    await store.transaction((sql) => enqueueAll(sql, [1, 2, 3].map((n) => outgoing(counted, { account, n, text }, 'a'))));
    expect(await store.query('SELECT seq FROM outbox_next(10, 1, $1)', [[]])).toHaveLength(1);
    expect(await store.query('SELECT seq FROM outbox_next(10, 1500, $1)', [[]])).toHaveLength(2);
  });
});
