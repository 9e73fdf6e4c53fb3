import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { breach, unavailable } from '@skillgate/contracts/refusal';
import { enqueueAll, outgoing } from './enqueue.js';
import { account, numbers, OutboxPlace, say } from './outbox-place.fixture.js';
import { describeOutbox } from './outbox-state.js';
import { counted } from './outbox.fixture.js';

let place: OutboxPlace;

beforeEach(async () => {
  place = await OutboxPlace.make();
});
afterEach(() => place.close());

describe('the relay', () => {
  it('starts with what an earlier process left behind', async () => {
    await place.store.transaction(say(1));
    place.relay();
    await place.until(() => place.published.length === 1);
  });

  it('finds by its poll what a replica committed and did not relay', async () => {
    const other = await place.open();
    place.relay({ pollMs: 50 });
    await other.transaction(say(1));
    await place.until(() => place.published.length === 1);
  });

  it('keeps the order of an aggregate over many commits and batches', async () => {
    place.relay({ limits: { rows: 7 } });
    for (let n = 0; n < 60; n += 1) await place.store.transaction(say(n, `aggregate-${n % 3}`));
    await place.until(() => place.published.length === 60);
    for (const which of [0, 1, 2]) {
      const own = numbers(place.published.filter(({ aggregate }) => aggregate === `aggregate-${which}`));
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  it('in two replicas publishes each event once, in order, and relays what the other one enqueued while it was busy', async () => {
    const other = await place.open();
    place.relay();
    place.relay({ dataSource: other });
    await Promise.all(
      [place.store, other].map(async (dataSource, replica) => {
        for (let n = 0; n < 50; n += 1) await dataSource.transaction(say(n, `of-${replica}`));
      }),
    );
    await place.until(() => place.published.length >= 100);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(new Set(place.published.map(({ id }) => id)).size).toBe(place.published.length);
    for (const replica of [0, 1]) {
      expect(numbers(place.published.filter(({ aggregate }) => aggregate === `of-${replica}`))).toEqual(
        Array.from({ length: 50 }, (_, n) => n),
      );
    }
  });

  it('looks again soon after it found another replica at work, whose look may have been too early', async () => {
    const other = await place.open();
    place.relay();
    await other.transaction(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate outbox counters', 0))`);
      await place.store.transaction(say(1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await place.until(() => place.published.length === 1, 500);
  });

  it('takes over from a replica whose connection broke while it published', async () => {
    const other = await place.open();
    let stuck = 0;
    place.relay({ dataSource: other, publish: () => new Promise((resolve) => (stuck += 1) && setTimeout(resolve, 500)) });
    await other.transaction(say(1));
    await place.until(() => stuck === 1);
    place.relay({ pollMs: 20 });
    await place.asAdmin(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()`);
    await place.until(() => place.published.length === 1);
  });

  it('waits longer and longer while the broker is away, says so, and goes on by itself', async () => {
    let away = true;
    const tries: number[] = [];
    const made = place.relay({
      publish: async (row) => {
        tries.push(Date.now());
        if (away) throw unavailable('wire-disconnected', 'NATS is away');
        place.published.push(row);
      },
    });
    await place.store.transaction(say(1));
    await place.store.transaction(say(2));
    await place.until(() => tries.length >= 2);
    const state = await made.state();
    expect(state).toMatchObject({ waiting: 2, lastError: 'NATS is away' });
    expect(describeOutbox(state)).toMatch(/^2 events wait, the oldest for \d+ s; NATS is away$/);
    expect(tries[1]! - tries[0]!).toBeGreaterThan(150);
    away = false;
    await place.until(() => place.published.length === 2);
    expect(numbers(place.published)).toEqual([1, 2]);
    await place.until(async () => (await made.state()).waiting === 0);
    expect(describeOutbox(await made.state())).toBeUndefined();
  });

  it('lets one event that the broker never takes hold up its aggregate and nothing else', async () => {
    let cured = false;
    let tries = 0;
    const made = place.relay({
      pollMs: 100,
      publish: async (row) => {
        if (row.aggregate === 'bad' && (tries += 1) && !cured) throw breach('unknown-event', 'no such event');
        place.published.push(row);
      },
    });
    await place.store.transaction(say(1, 'bad'));
    await place.store.transaction(say(2, 'bad'));
    await place.store.transaction(say(3, 'good'));
    await place.until(() => place.published.length === 1);
    await place.until(async () => (await made.state()).waiting === 2); // the batch has ended as well
    expect(numbers(place.published)).toEqual([3]);
    const state = await made.state();
    expect(state).toMatchObject({ waiting: 2, held: [{ aggregate: 'bad', reason: 'no such event' }] });
    expect(describeOutbox(state)).toContain('no such event');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(tries).toBe(1);
    cured = true;
    await place.until(() => place.published.length === 3);
    expect(numbers(place.published)).toEqual([3, 1, 2]);
    await place.until(async () => (await made.state()).held.length === 0); // the batch has told its last row a moment later
    expect((await made.state()).held).toEqual([]);
  });

  it('sends an event again that it published and could not remove', async () => {
    let first = true;
    place.relay({
      pollMs: 20,
      publish: async (row) => {
        place.published.push(row);
        if (!first) return;
        first = false;
        await place.asAdmin(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      },
    });
    const id = await place.store.transaction(say(1));
    await place.until(() => place.published.length === 2);
    expect(place.published.map((row) => row.id)).toEqual([id, id]);
  });

  it('relays what was committed last before it stops', async () => {
    const made = place.relay();
    await new Promise((resolve) => setTimeout(resolve, 50)); // it has looked, and sleeps
    await place.store.transaction(say(1));
    await made.stop();
    expect(numbers(place.published)).toEqual([1]);
  });

  it('reads no more at once than it was told in bytes, but a large row all the same', async () => {
    const text = 'x'.repeat(1_000);
    await place.store.transaction((sql) =>
      enqueueAll(
        sql,
        [1, 2, 3].map((n) => outgoing(counted, { account, n, text }, 'a')),
      ),
    );
    expect(await place.store.query('SELECT seq FROM outbox_next(10, 1, $1)', [[]])).toHaveLength(1);
    expect(await place.store.query('SELECT seq FROM outbox_next(10, 1500, $1)', [[]])).toHaveLength(2);
  });
});
