import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { defineStream } from '@skillgate/contracts/define-stream';
import { eventStream } from '@skillgate/contracts/streams';
import { startNats, type LocalNats } from '@skillgate/backing/nats';
import { emitterEdges, hearerEdges, makeStreams, rang, ring } from '../spec-support/events.js';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import { connectWire } from './connect.js';
import type { Wire } from './wire.js';

jest.setTimeout(20_000);

const declared = eventStream('asker');

describe('the owner of a stream, at start', () => {
  let nats: LocalNats;
  let asker: Wire;
  let operator: JetStreamManager; // may do everything, as with the nats command
  let close: () => Promise<unknown>;

  beforeAll(async () => {
    nats = await startNats({
      config: (_port, storeDir) =>
        `jetstream { store_dir: ${JSON.stringify(storeDir)} }\nauthorization { users: [{ user: asker, password: p }, { user: operator, password: p }] }`,
    });
    const lines = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    asker = await connectWire({ service: 'asker', servers: nats.url, password: 'p', log: lines });
    const connection = await connect({ servers: nats.url, user: 'operator', pass: 'p' });
    operator = await jetstreamManager(connection);
    close = () => Promise.all([asker.close(), connection.close()]);
  });
  afterEach(() => operator.streams.delete(declared.name).catch(() => undefined));
  afterAll(async () => {
    await close();
    await nats.stop();
  });

  const config = async () => (await operator.streams.info(declared.name)).config;

  it('creates it as declared, and leaves it alone the next time, also beside another instance', async () => {
    await Promise.all([makeStreams(asker, emitterEdges), makeStreams(asker, emitterEdges)]);
    const created = await config();
    expect(created).toMatchObject({
      subjects: ['event.v1.asker.>'],
      retention: 'limits',
      storage: 'file',
      discard: 'new',
      max_bytes: 256 * 1024 * 1024,
      max_age: 7 * 24 * 3_600 * 1e9,
      duplicate_window: 120 * 1e9,
    });
    await makeStreams(asker, emitterEdges);
    expect(await config()).toEqual(created);
  });

  it('widens limits up to what is declared, and keeps what is in it', async () => {
    await makeStreams(asker, emitterEdges);
    await operator.streams.update(declared.name, { max_bytes: 1_000_000, max_age: 3_600 * 1e9 });
    await ring(asker, 1);
    await makeStreams(asker, emitterEdges);
    expect(await config()).toMatchObject({ max_bytes: declared.maxBytes, max_age: declared.maxAgeMs * 1e6 });
    expect((await operator.streams.info(declared.name)).state.messages).toBe(1);
  });

  it('does not start when it is wider on the server, and says what to do', async () => {
    await makeStreams(asker, emitterEdges);
    await operator.streams.update(declared.name, { max_bytes: declared.maxBytes * 2 });
    const error = await failure(makeStreams(asker, emitterEdges));
    expect(error).toMatchObject({ kind: 'breach', slug: 'stream-differs' });
    expect(error.message).toContain(`max_bytes is ${declared.maxBytes * 2} there and ${declared.maxBytes} here`);
    expect(error.message).toContain('nats stream edit EVENTS_ASKER');
    expect((await config()).max_bytes).toBe(declared.maxBytes * 2);
  });

  it('does not start when it is another stream there, and does not touch it', async () => {
    await operator.streams.add({ name: declared.name, subjects: ['event.v1.asker.>', 'event.v2.asker.>'], storage: 'memory' as never });
    const before = await config();
    const { message } = await failure(makeStreams(asker, emitterEdges));
    for (const what of ['subjects', 'storage', 'discard', 'Nothing was changed', 'nats stream rm EVENTS_ASKER']) expect(message).toContain(what);
    expect(await config()).toEqual(before);
  });

  it("does not create another service's stream", async () => {
    expect(await failure(asker.reconcileStreams([eventStream('teller')]))).toMatchObject({ slug: 'foreign-stream' });
  });

  it('is told clearly that JetStream has not the room', async () => {
    const large = defineStream({ ...declared, maxBytes: Number.MAX_SAFE_INTEGER });
    const { kind, message } = await failure(asker.reconcileStreams([large]));
    expect(kind).toBe('unavailable');
    expect(message).toMatch(/Creating stream "EVENTS_ASKER" .*insufficient/);
  });

  it('makes one in memory again when the server was restarted and has lost it', async () => {
    const live = defineStream({ ...declared, name: 'LIVE', subjects: ['turn.v1.*'], storage: 'memory' });
    await asker.reconcileStreams([live]);
    await nats.restart();
    const storage = () => operator.streams.info(live.name).then(
      (found) => found.config.storage as string,
      () => 'absent', // not yet, or the operator's own connection is not back
    );
    for (const end = Date.now() + 15_000; (await storage()) !== 'memory' && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await storage()).toBe('memory');
    await operator.streams.delete(live.name);
  });
});

describe('publishing an event', () => {
  let house: TestHouse;
  let asker: Wire;

  beforeEach(async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    asker = await house.wire('asker');
  });
  afterEach(() => house.stop());

  it('is unavailable at once while NATS is down, and while it dies', async () => {
    await makeStreams(asker, emitterEdges);
    await ring(asker, 1);
    await house.nats.kill();
    let began = Date.now();
    expect(await failure(ring(asker, 2))).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected' });
    await until(() => !asker.status().connected);
    began = Date.now();
    expect(await failure(ring(asker, 3))).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected', details: { sent: false } });
    expect(Date.now() - began).toBeLessThan(50);
    await house.nats.restart();
    await until(() => asker.status().connected, 10_000);
    expect(await ring(asker, 2)).toMatchObject({ seq: 2, duplicate: false }); // nothing was kept back and sent late
  });

  it('is unavailable while the stream is missing', async () => {
    const error = await failure(ring(asker, 1));
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'stream-missing' });
    expect(error.message).toContain('"EVENTS_ASKER"');
  });

  it('is unavailable when the stream is full, and loses nothing that was kept', async () => {
    const small = defineStream({ ...declared, maxBytes: 64 * 1024 });
    await asker.reconcileStreams([small]);
    let kept = 0;
    const full = await failure(
      (async () => {
        for (;;) kept = (await ring(asker, kept, { text: 'x'.repeat(10_000) })).seq;
      })(),
    );
    expect(full).toMatchObject({ kind: 'unavailable', slug: 'stream-full', retryAfterMs: 5_000 });
    expect(full.message).toContain('Stream "EVENTS_ASKER" is full');
    expect(kept).toBe(6);

    const teller = await house.wire('teller');
    const heard: number[] = [];
    await teller.hear(rang, async ({ n }) => void heard.push(n)).ready;
    await until(() => heard.length === kept);
    expect(heard).toEqual([0, 1, 2, 3, 4, 5]);
    await makeStreams(asker, emitterEdges); // more room
    expect(await ring(asker, kept, { text: 'x' })).toMatchObject({ seq: kept + 1 });
  });

  it('checks the payload before it is sent', async () => {
    await makeStreams(asker, emitterEdges);
    const wrong = asker.publishEvent(rang, { n: 'x' } as never, { id: '1' });
    expect(await failure(wrong)).toMatchObject({ kind: 'breach', slug: 'invalid-event' });
    expect(await failure(ring(asker, 1, { text: 'x'.repeat(300_000) }))).toMatchObject({ kind: 'breach', slug: 'message-too-large' });
    expect(await failure(asker.publishEvent(rang, { n: 1 }, { id: 'a\nb' }))).toMatchObject({ kind: 'breach', slug: 'invalid-header' });
    expect(await ring(asker, 1)).toMatchObject({ seq: 1 });
  });
});
