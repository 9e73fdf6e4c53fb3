import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { breach } from '@skillgate/contracts/refusal';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { observePool } from './observe-pool.js';
import { OutboxPlace, say } from './outbox-place.fixture.js';

class Reader extends MetricReader {
  protected onForceFlush = () => Promise.resolve();
  protected onShutdown = () => Promise.resolve();

  /** Value by instrument, and by the state of connections where there is one. */
  async read(): Promise<Record<string, number>> {
    const { resourceMetrics } = await this.collect();
    const points = resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => [[descriptor.name, attributes['db.client.connection.state']].filter(Boolean).join(' '), value as number] as const),
      ),
    );
    return Object.fromEntries(points);
  }
}

let place: OutboxPlace;
let reader: Reader;
let provider: MeterProvider;

beforeEach(async () => {
  place = await OutboxPlace.make();
  reader = new Reader();
  provider = new MeterProvider({ readers: [reader] });
});
afterEach(async () => {
  await provider.shutdown();
  await place.close();
});

describe('metrics of a store', () => {
  it('show what waits in the outbox, for how long, and what holds it up', async () => {
    let taken = false;
    place.relay({
      meter: provider.getMeter('spec'),
      pollMs: 50,
      publish: async ({ aggregate }) => {
        if (aggregate === 'bad' && !taken) throw breach('unknown-event', 'no such event');
      },
    });
    await place.store.transaction(say(1, 'good'));
    await place.store.transaction(say(2, 'bad'));
    await place.store.transaction(say(3, 'bad'));
    await place.until(async () => (await reader.read())['skillgate.outbox.waiting'] === 2);
    await place.until(async () => (await reader.read())['skillgate.outbox.held'] === 1);
    expect(await reader.read()).toMatchObject({ 'skillgate.outbox.sent': 1, 'skillgate.outbox.oldest_age': expect.any(Number) });
    expect((await reader.read())['skillgate.outbox.oldest_age']).toBeGreaterThan(0);
    taken = true;
    await place.until(async () => (await reader.read())['skillgate.outbox.sent'] === 3);
    await place.until(async () => (await reader.read())['skillgate.outbox.waiting'] === 0);
    expect(await reader.read()).toMatchObject({ 'skillgate.outbox.oldest_age': 0, 'skillgate.outbox.held': 0 });
  });

  it('show how many connections of the pool are used, and who waits for one', async () => {
    observePool(provider.getMeter('spec'), 'counters', place.store);
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const busy = Promise.all(Array.from({ length: 12 }, () => place.store.transaction(() => gate)));
    const pool = { used: 'db.client.connection.count used', pending: 'db.client.connection.pending_requests' };
    await place.until(async () => (await reader.read())[pool.used] === 10);
    expect(await reader.read()).toMatchObject({ [pool.pending]: 2, 'db.client.connection.count idle': 0, 'db.client.connection.max': 10 });
    letGo();
    await busy;
    expect(await reader.read()).toMatchObject({ [pool.used]: 0, [pool.pending]: 0 });
  });
});
