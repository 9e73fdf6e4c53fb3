import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { breach } from '@skillgate/contracts/refusal';
import { edgesOf } from '@skillgate/contracts/service-edges';
import type { EventPayload } from '@skillgate/contracts/define-event';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import { Hears } from '@skillgate/wire/serve';
import { z } from 'zod';
import { bootService, defineService, type RunningService } from './boot.js';
import { back, backEdges, canaryShape, front, frontEdges, greet, greeted, spill } from './spec-house.fixture.js';
import { until } from './open-spec-house.fixture.js';

const slowEdges = edgesOf({ service: 'slow', serves: [], calls: [], emits: [], hears: [greeted] });
let letGo: () => void;
const gate = new Promise<void>((resolve) => (letGo = resolve));

@Controller()
class SlowHandlers {
  @Hears(greeted, { maxInFlight: 2 })
  async greeted({ name }: EventPayload<typeof greeted>) {
    if (name === 'nobody') throw breach('no-such-name', 'nobody cannot be greeted');
    await gate;
  }
}

@Module({ controllers: [SlowHandlers] })
class SlowModule {}

const slow = defineService({ name: 'slow', edges: slowEdges, config: z.object({}), module: () => SlowModule });

let nats: TestNats;
let receiver: OtlpReceiver;
let services: RunningService[] = [];
const service = (name: string) => services.find((each) => each.name === name)!;

/** One row's value, exported now. */
async function read(name: string, from: string, attributes: object = {}): Promise<number | undefined> {
  await service(from).telemetry.flush();
  const rows = receiver.metrics(name).filter((row) => row.service === from);
  const found = rows.filter((row) => Object.entries(attributes).every(([key, value]) => row.attributes[key] === value));
  if (found.length > 1) throw new Error(`several rows: ${JSON.stringify(found)}`);
  return found[0]?.count ?? found[0]?.value;
}

beforeAll(async () => {
  [nats, receiver] = await Promise.all([withNats([frontEdges, backEdges, slowEdges]), startOtlpReceiver()]);
  const env = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD_FRONT: nats.passwords.front,
    SKILLGATE_NATS_PASSWORD_BACK: nats.passwords.back,
    SKILLGATE_NATS_PASSWORD_SLOW: nats.passwords.slow,
    SKILLGATE_HTTP_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  };
  for (const definition of [back, slow, front]) services.push(await bootService(definition as typeof front, env, { logTo: { write: () => undefined } }));
}, 60_000);
afterAll(async () => {
  letGo();
  for (const each of services.reverse()) await each.stop();
  await receiver?.close();
  await nats?.close();
});

describe('metrics of a service', () => {
  it('show a consumer at its limit: what waits, what is in work, and for how long; and that it caught up', async () => {
    const about = { 'messaging.consumer.group.name': 'slow__greeted', 'messaging.destination.name': 'EVENTS_FRONT' };
    const value = (what: string) => read(`skillgate.consumer.${what}`, 'slow', about);
    for (let n = 0; n < 7; n += 1) await service('front').wire.publishEvent(greeted, { name: `guest ${n}` }, { id: crypto.randomUUID() });
    await until(
      () => value('ack_pending'),
      (inWork) => inWork === 2,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await value('pending')).toBe(5);
    expect(await value('up')).toBe(1);
    expect(await value('lag')).toBeGreaterThan(0.3);
    expect(await read('skillgate.calls.active', 'slow', { 'skillgate.direction': 'served' })).toBe(2);
    expect(await read('skillgate.consumer.pending', 'back')).toBe(0); // it hears the same events, and works on them at once
    letGo();
    await until(
      async () => [await value('pending'), await value('ack_pending'), await value('lag')],
      (left) => left.every((each) => each === 0),
    );
    expect(await read('messaging.process.duration', 'slow', { 'skillgate.outcome': 'ok' })).toBe(7);
  }, 20_000);

  it('count what was given up, and what lies in the dead letters', async () => {
    await service('front').wire.publishEvent(greeted, { name: 'nobody' }, { id: crypto.randomUUID() });
    await until(
      () => read('skillgate.dead_letters.written', 'slow'),
      (written) => written === 1,
    );
    expect(await read('skillgate.dead_letters.waiting', 'slow')).toBe(1);
    expect(await read('skillgate.dead_letters.waiting', 'back')).toBe(0);
    expect(await read('messaging.process.duration', 'slow', { 'skillgate.outcome': 'breach' })).toBe(1);
  }, 20_000);

  it('count calls on both sides by subject and outcome, and hold nothing of what was said', async () => {
    for (const name of ['Bo', 'Al', 'sk-test-000']) await service('front').wire.call(greet, { name });
    await expect(service('front').wire.call(spill, {})).rejects.toMatchObject({ kind: 'defect' });
    const calls = (side: string, from: string, subject: string, outcome: string) =>
      read(`rpc.${side}.call.duration`, from, { 'rpc.method': subject, 'skillgate.outcome': outcome });
    for (const [side, from] of [['client', 'front'], ['server', 'back']] as const) {
      expect(await calls(side, from, greet.subject, 'ok')).toBe(3);
      expect(await calls(side, from, spill.subject, 'defect')).toBe(1);
    }
    expect(receiver.metrics('rpc').filter((row) => row.service === 'slow')).toEqual([]);
    expect(JSON.stringify(receiver.metrics())).not.toMatch(canaryShape);
  }, 20_000);

  it('tell of the process', async () => {
    expect(await read('process.memory.usage', 'back')).toBeGreaterThan(10_000_000);
    expect(await read('nodejs.eventloop.utilization', 'back')).toBeGreaterThan(0);
    expect(await read('nodejs.eventloop.delay.p99', 'back')).toBeLessThan(10);
  });

  it('say nothing of a consumer while NATS cannot be asked, but that it is not heard', async () => {
    await nats.server.kill();
    receiver.clear();
    await until(
      () => read('skillgate.consumer.up', 'slow'),
      (up) => up === 0,
    );
    receiver.clear();
    expect(await read('skillgate.consumer.up', 'slow')).toBe(0);
    expect(receiver.metrics('skillgate.consumer.pending')).toEqual([]);
    await nats.server.restart();
    await until(
      () => read('skillgate.consumer.up', 'slow'),
      (up) => up === 1,
    );
    await until(
      async () => service('front').wire.status().connected && service('back').wire.status().connected,
      (connected) => connected,
    );
  }, 30_000);

  it('are sent once more when the service drains, as it was then', async () => {
    await service('front').wire.call(greet, { name: 'Last' });
    receiver.clear();
    const front = service('front');
    services = services.filter((each) => each !== front);
    await front.stop();
    expect(receiver.metrics('rpc.client.call.duration')).toMatchObject([{ service: 'front', count: 4 }, { service: 'front', count: 1 }]);
  }, 20_000);
});
