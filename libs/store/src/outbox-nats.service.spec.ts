import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { streamsOf } from '@skillgate/contracts/streams';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Delivery } from '@skillgate/wire/delivery';
import type { Wire } from '@skillgate/wire/wire';
import type { DataSource } from 'typeorm';
import { openStore } from './data-source.js';
import { enqueue, enqueueAll, outgoing } from './enqueue.js';
import { onceForEvent } from './once-for-event.js';
import { OutboxRelay } from './outbox-relay.js';
import { counted, countersEdges, countersStore, readerEdges } from './outbox.fixture.js';
import { publishOn } from './publish-on.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const account = randomUUID();

let nats: TestNats;
let database: TestDatabase;
let url: string;
let store: DataSource;
let counters: Wire;
let reader: Wire;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  [nats, database] = await Promise.all([withNats([countersEdges, readerEdges]), withDatabase()]);
  url = await database.migrate(countersStore);
  store = await openStore({ schema: 'counters', entities: [], url });
  [counters, reader] = await Promise.all([nats.connect('counters'), nats.connect('reader')]);
  await Promise.all([counters.reconcileStreams(streamsOf(countersEdges)), reader.reconcileStreams(streamsOf(readerEdges))]);
}, 60_000);
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await store?.destroy();
  await nats?.close();
  await database?.close();
});

function relay(dataSource = store, wire = counters): OutboxRelay {
  const made = new OutboxRelay({ dataSource, publish: publishOn(wire, [counted]), log: quiet, pollMs: 100 });
  ends.push(() => made.stop());
  made.start();
  return made;
}

/** Deliveries of the events about `about`, each counted once in PostgreSQL. */
async function hear(about: string): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  const hearing = reader.hear(counted, async ({ text }, delivery) => {
    if (text !== about) return;
    deliveries.push(delivery);
    await store.transaction((sql) =>
      onceForEvent(sql, 'reader__counted', delivery.id, () =>
        sql.query('INSERT INTO counters VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = counters.n + 1', [delivery.id]),
      ),
    );
  });
  ends.push(() => hearing.drain());
  await hearing.ready;
  return deliveries;
}

/** Numbers of the events about `about` as they stand in the stream. */
async function streamed(about: string): Promise<number[]> {
  const found: number[] = [];
  await reader.readEvents(counted, async ({ n, text }) => void (text === about && found.push(n)));
  return found;
}

const say = (about: string, n: number, aggregate = about, dataSource = store) =>
  dataSource.transaction((sql) => enqueue(sql, counted, { account, n, text: about }, { aggregate }));
const effects = async (ids: readonly string[]) =>
  ((await store.query('SELECT n FROM counters WHERE id = ANY ($1)', [ids])) as { n: number }[]).map(({ n }) => n);

async function until(good: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) if (await good()) return;
  throw new Error(`not within ${ms} ms`);
}

describe('an event by way of outbox and stream', () => {
  it('has one effect when the relay was killed between publishing and removing', async () => {
    const about = 'killed';
    const ids = await store.transaction((sql) =>
      enqueueAll(
        sql,
        Array.from({ length: 20 }, (_, n) => outgoing(counted, { account, n, text: about }, about)),
      ),
    );
    const child = spawn(
      process.execPath,
      [
        '--conditions=@skillgate/source',
        '--import',
        fileURLToPath(new URL('../../../tools/register.mjs', import.meta.url)),
        fileURLToPath(new URL('./killed-relay.fixture.ts', import.meta.url)),
      ],
      {
        env: { PATH: process.env.PATH, NATS_URL: nats.url, NATS_PASSWORD: nats.passwords.counters, DATABASE_URL: url, KILL_AFTER: '12' },
        stdio: 'inherit',
      },
    );
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    const deliveries = await hear(about);
    await until(() => deliveries.length === 12);
    expect((await relay().state()).waiting).toBe(20);

    await until(() => deliveries.length === 20);
    expect(await streamed(about)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    await until(async () => (await effects(ids)).length === 20);
    expect(await effects(ids)).toEqual(ids.map(() => 1));
  }, 30_000);

  it('has one effect when it stands twice in the stream, as after the duplicate window', async () => {
    const deliveries = await hear('twice');
    relay();
    const id = await say('twice', 1);
    await until(() => deliveries.length === 1);
    await counters.publishEvent(counted, { account, n: 1, text: 'twice' }, { id, messageId: randomUUID() });
    await until(() => deliveries.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(deliveries.map((delivery) => delivery.id)).toEqual([id, id]);
    expect(await effects([id])).toEqual([1]);
  });

  it('stands in the stream once, in the order of its aggregate, with two relays at work', async () => {
    const other = await openStore({ schema: 'counters', entities: [], url });
    const otherWire = await nats.connect('counters');
    const [one, two] = [relay(), relay(other, otherWire)];
    await Promise.all(
      [store, other].map(async (dataSource, replica) => {
        for (let n = 0; n < 150; n += 1) await say(`pair-${replica}`, n, `pair-${replica}`, dataSource);
      }),
    );
    await until(async () => (await one.state()).waiting === 0);
    const inOrder = Array.from({ length: 150 }, (_, n) => n);
    expect([await streamed('pair-0'), await streamed('pair-1')]).toEqual([inOrder, inOrder]);
    const sent = [(await one.state()).sent, (await two.state()).sent];
    expect(sent[0]! + sent[1]!).toBe(300);
    await two.stop();
    await other.destroy();
  }, 30_000);

  it('is heard in a trace that is linked to the one of its change, and knows the time of it', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    ends.push(() => (context.disable(), propagation.disable()));
    const changing = new BasicTracerProvider().getTracer('spec').startSpan('change');
    const before = Date.now();
    await context.with(trace.setSpan(ROOT_CONTEXT, changing), () => say('traced', 1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const deliveries = await hear('traced');
    relay();
    await until(() => deliveries.length === 1);
    expect(deliveries[0]!.headers.traceparent).toContain(changing.spanContext().traceId);
    expect(deliveries[0]!.occurredAt - before).toBeLessThan(200);
  });

  it('arrives with ten thousand others in a burst, all of them once', async () => {
    const made = relay();
    const began = performance.now();
    for (let batch = 0; batch < 200; batch += 1) {
      const entries = Array.from({ length: 50 }, (_, n) => outgoing(counted, { account, n: batch * 50 + n, text: 'burst' }, `burst-${n}`));
      await store.transaction((sql) => enqueueAll(sql, entries));
    }
    const enqueued = performance.now();
    await until(async () => (await made.state()).waiting === 0, 60_000);
    const relayed = performance.now();
    const found = await streamed('burst');
    expect(found).toHaveLength(10_000);
    expect(new Set(found).size).toBe(10_000);
    for (let n = 0; n < 50; n += 1) {
      const own = found.filter((each) => each % 50 === n);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
    if (process.env.SKILLGATE_TELL_RATES)
      console.log(`enqueued ${Math.round(1e7 / (enqueued - began))}/s, all in the stream ${Math.round(1e7 / (relayed - began))}/s`);
  }, 90_000);
});
