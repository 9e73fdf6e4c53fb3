import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineCall } from '@skillgate/contracts/define-call';
import { bootService, defineService, type RunningService } from './boot.js';
import { ConfigError } from './config.js';
import { openSpecHouse, ready, until, type SpecHouse } from './open-spec-house.fixture.js';
import { back, canaryShape, front, frontEdges, greet, greeted, spill } from './spec-house.fixture.js';

let house: SpecHouse;
beforeAll(async () => {
  house = await openSpecHouse();
}, 30_000);
afterAll(() => house.close());

describe('two services in one process', () => {
  let theBack: RunningService;
  let theFront: RunningService;

  beforeAll(async () => {
    theBack = await bootService(back, house.env, house.logging);
    theFront = await bootService(front, house.env, house.logging);
  }, 30_000);
  afterAll(async () => {
    await theFront.stop();
    await theBack.stop();
  });

  it('answer each other, each with its own configuration and in its own context', async () => {
    await expect(theFront.wire.call(greet, { name: 'Ada' })).resolves.toEqual({ text: 'Good day, Ada', service: 'back' });
    const response = await fetch(`${theFront.url}/greet?name=Ada`);
    expect(await response.json()).toEqual({ text: 'Good day, Ada', service: 'back', askedBy: 'front' });
  });

  it('tell and hear of events, and say in their health how far they are behind', async () => {
    await theFront.wire.publishEvent(greeted, { name: 'Ada' }, { id: 'g1' });
    await until(async () => house.logged('back', 'heard of a greeting'), (heard) => heard.length === 1);
    const { status, parts } = await until(() => ready(house.probes), (seen) => seen.parts.events?.facts?.consumers !== undefined && !seen.parts.events.detail);
    expect(status).toBe(200);
    expect(parts.events).toMatchObject({ status: 'up', facts: { consumers: [{ durable: 'back__greeted', stream: 'EVENTS_FRONT', pending: 0, ackPending: 0 }] } });
    expect((await theFront.health.report()).parts).not.toHaveProperty('events'); // it hears none
  });

  it('write one trace, in which each span has the service that did the work', async () => {
    house.traces.clear();
    const traceId = await theFront.telemetry.tracer.startActiveSpan('request', async (span) => {
      await theFront.wire.call(greet, { name: 'Ada' });
      span.end();
      return span.spanContext().traceId;
    });
    await Promise.all([theFront.telemetry.flush(), theBack.telemetry.flush()]);
    const spans = await house.traces.until(() => house.traces.trace(traceId).length >= 4).then(() => house.traces.trace(traceId));
    const edges = spans.map(
      ({ name, service, parentSpanId }) =>
        `${spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? 'nothing'} -> ${service}: ${name}`,
    );
    expect(edges.sort()).toEqual([
      'call call.v1.back.greet -> back: serve call.v1.back.greet',
      'nothing -> front: request',
      'request -> front: call call.v1.back.greet',
      'serve call.v1.back.greet -> back: think',
    ]);
    expect(JSON.parse(house.logged('back', 'greeting').at(-1)!)).toMatchObject({
      service: 'back',
      trace_id: traceId,
      span_id: spans.find(({ name }) => name === 'think')!.spanId,
    });
  });

  it('show nothing of a secret that a tool threw: in no span, no log, no answer', async () => {
    house.traces.clear();
    const before = house.lines.length;
    const error = await theFront.wire.call(spill, {}).catch((thrown: unknown) => thrown);
    await Promise.all([theFront.telemetry.flush(), theBack.telemetry.flush()]);
    const spans = await house.traces.until((seen) => seen.some(({ name }) => name === 'serve call.v1.back.spill'));
    const served = spans.find(({ name }) => name === 'serve call.v1.back.spill')!;
    expect(served.events).toHaveLength(2);
    expect(served.attributes).toMatchObject({
      token: '[redacted]',
      note: 'https://x.example/cb?[redacted]',
      list: ['[redacted]', 'https://x.example/cb?[redacted]'],
    });
    expect(JSON.stringify(spans)).not.toMatch(canaryShape);
    expect(house.lines.slice(before).join('')).toContain('the tool failed with');
    expect(house.lines.slice(before).join('')).not.toMatch(canaryShape);
    expect(error).toMatchObject({ kind: 'defect', message: 'internal error' });
  });

  it('are ready, say since when, and have live probes on both kinds of service', async () => {
    for (const base of [house.probes, theFront.url!]) {
      expect(await ready(base)).toMatchObject({
        status: 200,
        ready: true,
        parts: { service: { status: 'up', detail: 'serving' }, nats: { status: 'up', since: expect.stringMatching(/Z$/) } },
      });
      expect((await fetch(`${base}/health/live`)).status).toBe(200);
    }
    expect((await fetch(`${house.probes}/other`)).status).toBe(404);
  });

  it('name a part that a service added and that is down', async () => {
    let reachable = false;
    const database = async () => {
      if (!reachable) throw new Error('connect ECONNREFUSED postgres://u:pw@127.0.0.1:5432');
    };
    theBack.health.add('database', database, 0);
    expect(await ready(house.probes)).toMatchObject({
      status: 503,
      ready: false,
      parts: { database: { status: 'down', detail: expect.stringContaining('ECONNREFUSED') } },
    });
    expect(JSON.stringify(await ready(house.probes))).not.toContain('pw');
    reachable = true;
    expect(await ready(house.probes)).toMatchObject({ status: 200, parts: { database: { status: 'up' } } });
  });

  it('are not ready while NATS is away, stay alive, and come back by themselves', async () => {
    const down = Date.now();
    await house.nats.server.kill();
    const away = await until(
      () => ready(house.probes),
      ({ status }) => status === 503,
    );
    expect(away.parts.nats).toMatchObject({ status: 'down', detail: expect.stringContaining('lost') });
    expect(Date.parse(away.parts.nats!.since)).toBeGreaterThanOrEqual(down);
    expect((await ready(theFront.url!)).status).toBe(503);
    expect((await fetch(`${house.probes}/health/live`)).status).toBe(200);
    await house.nats.server.restart();
    await until(
      () => ready(house.probes),
      ({ status }) => status === 200,
    );
    await until(
      () => ready(theFront.url!),
      ({ status }) => status === 200,
    );
    await expect(theFront.wire.call(greet, { name: 'Bo' })).resolves.toMatchObject({ text: 'Good day, Bo' });
  }, 20_000);
});

describe('a service that cannot start', () => {
  it('names its bad variables', async () => {
    await expect(bootService(back, { ...house.env, SKILLGATE_NATS_PASSWORD_BACK: '' }, house.logging)).rejects.toThrow(ConfigError);
  });

  it('tells why, and leaves no connection behind', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = (taken.address() as AddressInfo).port;
    await expect(bootService(front, { ...house.env, SKILLGATE_HTTP_PORT: String(port) }, house.logging)).rejects.toThrow('EADDRINUSE');
    await expect(bootService(back, { ...house.env, SKILLGATE_HEALTH_PORT_BACK: String(port) }, house.logging)).rejects.toThrow(
      'SKILLGATE_HEALTH_PORT',
    );
    await new Promise((resolve) => taken.close(resolve));
    const broken = defineService({
      ...back,
      config: z.object({}),
      module: () => Promise.reject(new Error('no database')),
      http: undefined,
    });
    await expect(bootService(broken, house.env, house.logging)).rejects.toThrow('no database');
    await expect(fetch(`${house.probes}/health/live`)).rejects.toThrow();
  }, 20_000);

  it('misses a handler that its edges declare', async () => {
    const silent = defineService({ ...front, edges: { ...frontEdges, serves: [defineCall('call.v1.front.never', { input: z.object({}), output: z.object({}) })] } });
    await expect(bootService(silent, house.env, house.logging)).rejects.toThrow(/without a handler/);
  }, 20_000);
});
