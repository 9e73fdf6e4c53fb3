import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { openStore } from './data-source.js';
import { forgetProcessedEvents, onceForEvent } from './once-for-event.js';
import { countersStore } from './outbox.fixture.js';

let database: TestDatabase;
let store: DataSource;

beforeAll(async () => {
  database = await withDatabase();
  store = await openStore({ schema: 'counters', entities: [], url: await database.migrate(countersStore) });
});
afterAll(async () => {
  await store?.destroy();
  await database?.close();
});

const handle = (event: string, { consumer = 'hearer', fails = false } = {}) =>
  store.transaction((sql) =>
    onceForEvent(sql, consumer, event, async () => {
      await sql.query('INSERT INTO counters VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = counters.n + 1', [event]);
      if (fails) throw new Error('no');
    }),
  );
const effects = async (event: string) =>
  ((await store.query('SELECT n FROM counters WHERE id = $1', [event])) as { n: number }[])[0]?.n ?? 0;

describe('once for an event', () => {
  it('has one effect, however often it is delivered, also at the same time', async () => {
    const event = randomUUID();
    const done = await Promise.all(Array.from({ length: 8 }, () => handle(event)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await handle(event)).toBe(false);
    expect(await effects(event)).toBe(1);
  });

  it('is tried again when the effect failed', async () => {
    const event = randomUUID();
    await expect(handle(event, { fails: true })).rejects.toThrow('no');
    expect(await effects(event)).toBe(0);
    expect(await handle(event)).toBe(true);
    expect(await effects(event)).toBe(1);
  });

  it('counts for each consumer apart', async () => {
    const event = randomUUID();
    expect([await handle(event), await handle(event, { consumer: 'other' })]).toEqual([true, true]);
  });

  it('is not possible outside of a transaction', async () => {
    await expect(onceForEvent(store.manager, 'hearer', 'x', async () => undefined)).rejects.toThrow('needs the transaction of the effect');
  });

  it('is forgotten after forty days, by the function alone', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await store.query(`INSERT INTO processed_events VALUES ('hearer', $1, now() - interval '41 days')`, [old]);
    await handle(young);
    await expect(store.query('DELETE FROM processed_events')).rejects.toThrow('permission denied');
    expect(await forgetProcessedEvents(store)).toBe(1);
    expect([await handle(old), await handle(young)]).toEqual([true, false]);
  });
});
