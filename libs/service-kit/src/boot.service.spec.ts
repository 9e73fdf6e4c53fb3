import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { freePort } from '@skillgate/backing/free-port';
import { defineCall } from '@skillgate/contracts/define-call';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import { bootService, defineService, type RunningService } from './boot.js';
import { ConfigError } from './config.js';
import type { HealthReport } from './health.js';
import { back, backEdges, canaryShape, front, frontEdges, greet, greeted, spill, wait } from './spec-house.fixture.js';

const lines: string[] = [];
const logTo = { write: (line: string) => void lines.push(line) };
const logged = (service: string, part: string) => lines.filter((line) => line.includes(`"service":"${service}"`) && line.includes(part));

let nats: TestNats;
let traces: OtlpReceiver;
let env: NodeJS.ProcessEnv;
let healthPort: number;

beforeAll(async () => {
  nats = await withNats([frontEdges, backEdges]);
  traces = await startOtlpReceiver();
  healthPort = await freePort();
  env = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD_FRONT: nats.passwords.front,
    SKILLGATE_NATS_PASSWORD_BACK: nats.passwords.back,
    SKILLGATE_HTTP_PORT: '0',
    SKILLGATE_HEALTH_PORT_BACK: String(healthPort),
    SKILLGATE_LOG_LEVEL: 'debug',
    SKILLGATE_GREETING_BACK: 'Good day',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  };
}, 30_000);
afterAll(async () => {
  await nats.close();
  await traces.close();
});

const ready = async (base: string) => {
  const response = await fetch(`${base}/health/ready`);
  return { status: response.status, ...((await response.json()) as HealthReport) };
};
async function until<T>(look: () => Promise<T>, good: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const seen = await look();
    if (good(seen)) return seen;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('two services in one process', () => {
  let theBack: RunningService;
  let theFront: RunningService;
  const probes = () => `http://127.0.0.1:${healthPort}`;

  beforeAll(async () => {
    theBack = await bootService(back, env, { logTo });
    theFront = await bootService(front, env, { logTo });
  }, 30_000);
  afterAll(async () => {
    await theFront.stop();
    await theBack.stop();
  });

  it('answer each other, each with its own configuration and in its own context', async () => {
    await expect(theFront.wire.call(greet, { name: 'Ada' })).resolves.toEqual({ text: 'Good day, Ada', service: 'back' });
    const response = await fetch(`${theFront.url}/greet?name=Ada`);
    expect(await response.json()).toEqual({ text: 'Good day, Ada', service: 'back' });
  });

  it('tell and hear of events, and say in their health how far they are behind', async () => {
    await theFront.wire.publishEvent(greeted, { name: 'Ada' }, { id: 'g1' });
    await until(async () => logged('back', 'heard of a greeting'), (heard) => heard.length === 1);
    const { status, parts } = await until(() => ready(probes()), (seen) => seen.parts.events?.facts?.consumers !== undefined && !seen.parts.events.detail);
    expect(status).toBe(200);
    expect(parts.events).toMatchObject({ status: 'up', facts: { consumers: [{ durable: 'back__greeted', stream: 'EVENTS_FRONT', pending: 0, ackPending: 0 }] } });
    expect((await theFront.health.report()).parts).not.toHaveProperty('events'); // it hears none
  });

  it('write one trace, in which each span has the service that did the work', async () => {
    traces.clear();
    const traceId = await theFront.telemetry.tracer.startActiveSpan('request', async (span) => {
      await theFront.wire.call(greet, { name: 'Ada' });
      span.end();
      return span.spanContext().traceId;
    });
    await Promise.all([theFront.telemetry.flush(), theBack.telemetry.flush()]);
    const spans = await traces.until(() => traces.trace(traceId).length >= 4).then(() => traces.trace(traceId));
    const edges = spans.map(({ name, service, parentSpanId }) => `${spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? 'nothing'} -> ${service}: ${name}`);
    expect(edges.sort()).toEqual([
      'call call.v1.back.greet -> back: serve call.v1.back.greet',
      'nothing -> front: request',
      'request -> front: call call.v1.back.greet',
      'serve call.v1.back.greet -> back: think',
    ]);
    expect(JSON.parse(logged('back', 'greeting').at(-1)!)).toMatchObject({ service: 'back', trace_id: traceId, span_id: spans.find(({ name }) => name === 'think')!.spanId });
  });

  it('show nothing of a secret that a tool threw: in no span, no log, no answer', async () => {
    traces.clear();
    const before = lines.length;
    const error = await theFront.wire.call(spill, {}).catch((thrown: unknown) => thrown);
    await Promise.all([theFront.telemetry.flush(), theBack.telemetry.flush()]);
    const spans = await traces.until((seen) => seen.some(({ name }) => name === 'serve call.v1.back.spill'));
    const served = spans.find(({ name }) => name === 'serve call.v1.back.spill')!;
    expect(served.events).toHaveLength(2);
    expect(served.attributes).toMatchObject({ token: '[redacted]', note: 'https://x.example/cb?[redacted]', list: ['[redacted]', 'https://x.example/cb?[redacted]'] });
    expect(JSON.stringify(spans)).not.toMatch(canaryShape);
    expect(lines.slice(before).join('')).toContain('the tool failed with');
    expect(lines.slice(before).join('')).not.toMatch(canaryShape);
    expect(error).toMatchObject({ kind: 'defect', message: 'internal error' });
  });

  it('are ready, say since when, and have live probes on both kinds of service', async () => {
    for (const base of [probes(), theFront.url!]) {
      expect(await ready(base)).toMatchObject({ status: 200, ready: true, parts: { service: { status: 'up', detail: 'serving' }, nats: { status: 'up', since: expect.stringMatching(/Z$/) } } });
      expect((await fetch(`${base}/health/live`)).status).toBe(200);
    }
    expect((await fetch(`${probes()}/other`)).status).toBe(404);
  });

  it('name a part that a service added and that is down', async () => {
    let reachable = false;
    const database = async () => {
      if (!reachable) throw new Error('connect ECONNREFUSED postgres://u:pw@127.0.0.1:5432');
    };
    theBack.health.add('database', database, 0);
    expect(await ready(probes())).toMatchObject({ status: 503, ready: false, parts: { database: { status: 'down', detail: expect.stringContaining('ECONNREFUSED') } } });
    expect(JSON.stringify(await ready(probes()))).not.toContain('pw');
    reachable = true;
    expect(await ready(probes())).toMatchObject({ status: 200, parts: { database: { status: 'up' } } });
  });

  it('are not ready while NATS is away, stay alive, and come back by themselves', async () => {
    const down = Date.now();
    await nats.server.kill();
    const away = await until(() => ready(probes()), ({ status }) => status === 503);
    expect(away.parts.nats).toMatchObject({ status: 'down', detail: expect.stringContaining('lost') });
    expect(Date.parse(away.parts.nats!.since)).toBeGreaterThanOrEqual(down);
    expect((await ready(theFront.url!)).status).toBe(503);
    expect((await fetch(`${probes()}/health/live`)).status).toBe(200);
    await nats.server.restart();
    await until(() => ready(probes()), ({ status }) => status === 200);
    await until(() => ready(theFront.url!), ({ status }) => status === 200);
    await expect(theFront.wire.call(greet, { name: 'Bo' })).resolves.toMatchObject({ text: 'Good day, Bo' });
  }, 20_000);
});

describe('stop', () => {
  it('is not ready at once, finishes the call in flight, takes no other, and leaves nothing open', async () => {
    const own: string[] = [];
    const leaving = defineService({
      ...back,
      module: (kit) => {
        kit.draining.addEventListener('abort', () => own.push('goodbye'));
        kit.onDrain('a turn', () => void own.push(kit.wire.status().connected ? 'turn ended, still connected' : 'too late'));
        return back.module(kit);
      },
    });
    const theBack = await bootService(leaving, env, { logTo });
    const theFront = await bootService(front, env, { logTo });
    const inFlight = fetch(`${theFront.url}/wait/600`);
    await until(async () => logged('front', 'waiting').length, (count) => count > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));

    const stopping = theBack.stop();
    expect(theBack.stop()).toBe(stopping);
    expect(await ready(`http://127.0.0.1:${healthPort}`)).toMatchObject({ status: 503, parts: { service: { status: 'down', detail: 'draining' } } });
    await expect(theFront.wire.call(greet, { name: 'late' })).rejects.toMatchObject({ kind: 'unavailable', slug: 'no-responder' });
    expect(await (await inFlight).json()).toEqual({ waited: 600 });
    await stopping;
    expect(own).toEqual(['goodbye', 'turn ended, still connected']);
    expect(theBack.wire.status().connected).toBe(false);
    await expect(fetch(`http://127.0.0.1:${healthPort}/health/live`)).rejects.toThrow();
    await theFront.stop();
    await expect(fetch(theFront.url!)).rejects.toThrow();
  }, 20_000);

  it('lets an HTTP request in flight end, over the call that it made', async () => {
    const theBack = await bootService(back, env, { logTo });
    const theFront = await bootService(front, env, { logTo });
    const before = logged('front', 'waiting').length;
    const inFlight = fetch(`${theFront.url}/wait/500`);
    await until(async () => logged('front', 'waiting').length, (count) => count > before);
    await theFront.stop();
    expect(await (await inFlight).json()).toEqual({ waited: 500 });
    await theBack.stop();
  }, 20_000);

  it('ends within its budget whatever runs, and says what it cut', async () => {
    const theBack = await bootService(back, env, { logTo });
    const theFront = await bootService(front, env, { logTo });
    const call = theFront.wire.call(wait, { ms: 20_000 }).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    await expect(theBack.stop(1_000)).rejects.toThrow(/calls: 1 were still running/);
    expect(Date.now() - began).toBeLessThan(1_100);
    expect(await call).toMatchObject({ kind: 'unavailable', slug: 'draining' });
    await theFront.stop();
  }, 20_000);
});

describe('a service that cannot start', () => {
  it('names its bad variables', async () => {
    await expect(bootService(back, { ...env, SKILLGATE_NATS_PASSWORD_BACK: '' }, { logTo })).rejects.toThrow(ConfigError);
  });

  it('tells why, and leaves no connection behind', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = (taken.address() as AddressInfo).port;
    await expect(bootService(front, { ...env, SKILLGATE_HTTP_PORT: String(port) }, { logTo })).rejects.toThrow('EADDRINUSE');
    await expect(bootService(back, { ...env, SKILLGATE_HEALTH_PORT_BACK: String(port) }, { logTo })).rejects.toThrow('SKILLGATE_HEALTH_PORT');
    await new Promise((resolve) => taken.close(resolve));
    const broken = defineService({ ...back, config: z.object({}), module: () => Promise.reject(new Error('no database')), http: undefined });
    await expect(bootService(broken, env, { logTo })).rejects.toThrow('no database');
    await expect(fetch(`http://127.0.0.1:${healthPort}/health/live`)).rejects.toThrow();
  }, 20_000);

  it('misses a handler that its edges declare', async () => {
    const silent = defineService({ ...front, edges: { ...frontEdges, serves: [defineCall('call.v1.front.never', { input: z.object({}), output: z.object({}) })] } });
    await expect(bootService(silent, env, { logTo })).rejects.toThrow(/without a handler/);
  }, 20_000);
});
