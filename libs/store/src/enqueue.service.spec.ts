import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inAccount } from './account-scope.js';
import { enqueue, enqueueAll, outgoing } from './enqueue.js';
import { account, numbers, OutboxPlace, say } from './outbox-place.fixture.js';
import { counted } from './outbox.fixture.js';

let place: OutboxPlace;

beforeEach(async () => {
  place = await OutboxPlace.make();
});
afterEach(() => place.close());

describe('an event in the outbox', () => {
  it('leaves when its transaction is committed, with its id, subject, body and time, and is then removed', async () => {
    const began = Date.now();
    const made = place.relay();
    const id = await inAccount(place.store, account, say(1));
    await place.until(() => place.published.length === 1);
    expect(place.published[0]).toMatchObject({ id, subject: counted.subject, aggregate: account, body: JSON.stringify({ account, n: 1 }) });
    expect(place.published[0]!.enqueuedAt).toBeGreaterThanOrEqual(began - 1_000);
    await place.until(async () => (await made.state()).waiting === 0);
    expect(await made.state()).toMatchObject({ sent: 1, oldestMs: 0, held: [] });
  });

  it('never leaves when its transaction is rolled back', async () => {
    place.relay({ pollMs: 10 });
    const failing = place.store.transaction(async (sql) => {
      await say(1)(sql);
      await sql.query('INSERT INTO counters VALUES ($1, 1)', ['x']);
      await new Promise((resolve) => setTimeout(resolve, 100)); // the relay looks meanwhile
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await place.store.transaction(say(2));
    await place.until(() => place.published.length > 0);
    expect(numbers(place.published)).toEqual([2]);
    expect(await place.store.query('SELECT * FROM counters')).toEqual([]);
  });

  it('is not taken outside of a transaction, where it could not belong to a change', async () => {
    await expect(say(1)(place.store.manager)).rejects.toThrow('needs the transaction of the change');
  });

  it('is checked before it is written, and its transaction fails with the reason', async () => {
    const wrong = place.store.transaction((sql) => enqueue(sql, counted, { account: 'nobody', n: 1 }, { aggregate: 'a' }));
    await expect(wrong).rejects.toMatchObject({ kind: 'breach', slug: 'invalid-event', message: expect.stringContaining('account') });
    const large = place.store.transaction((sql) => enqueue(sql, counted, { account, n: 1, text: 'x'.repeat(300_000) }, { aggregate: 'a' }));
    await expect(large).rejects.toMatchObject({ kind: 'breach', slug: 'message-too-large' });
    expect(await place.asAdmin('SELECT * FROM counters.outbox')).toEqual([]);
  });

  it('may be written by the service and neither read, changed nor deleted', async () => {
    await place.store.transaction(say(1));
    for (const forbidden of ['SELECT * FROM outbox', `UPDATE outbox SET body = '{}'`, 'DELETE FROM outbox', 'TRUNCATE outbox']) {
      await expect(place.store.query(forbidden)).rejects.toThrow('permission denied for table outbox');
    }
    const grants = await place.asAdmin<{ acl: string }>(`SELECT proacl::text AS acl FROM pg_proc WHERE proname LIKE 'outbox_%'`);
    expect(grants).toHaveLength(3);
    for (const { acl } of grants) expect(acl).not.toMatch(/[{,]=/); // an empty grantee is PUBLIC
  });

  it('keeps what text may hold', async () => {
    place.relay();
    const text = 'NUL \0, half a pair \ud800, "quotes", \\ and {braces, commas}';
    await place.store.transaction((sql) =>
      enqueueAll(sql, [outgoing(counted, { account, n: 1, text }, 'a'), outgoing(counted, { account, n: 2 }, 'a, "b"')]),
    );
    await place.until(() => place.published.length === 2);
    expect(JSON.parse(place.published[0]!.body)).toEqual({ account, n: 1, text });
    expect(place.published[1]!.aggregate).toBe('a, "b"');
  });
});
