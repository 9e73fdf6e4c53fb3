import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@skillgate/backing/free-port';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import { backEdges, canaryShape, frontEdges, wait } from './spec-house.fixture.js';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const register = fileURLToPath(new URL('../../../tools/register.mjs', import.meta.url));

interface Child {
  readonly process: ChildProcess;
  /** Resolves with everything written so far as soon as it contains `part`. */
  said(part: string): Promise<string>;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

let nats: TestNats;
let traces: OtlpReceiver;
let env: NodeJS.ProcessEnv;
const children: ChildProcess[] = [];

function start(file: string, more: NodeJS.ProcessEnv = {}): Child {
  const child = spawn(process.execPath, ['--conditions=@skillgate/source', '--import', register, here(file)], {
    env: { PATH: process.env.PATH, ...env, ...more },
  });
  children.push(child);
  let text = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (data: Buffer) => {
      text += data.toString();
      watchers.forEach((look) => look());
    });
  }
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const said = (part: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!text.includes(part)) return;
        watchers.delete(look);
        resolve(text);
      };
      watchers.add(look);
      look();
      void exit.then((code) => reject(new Error(`ended with ${code} and never said "${part}":\n${text}`)));
    });
  return { process: child, said, output: () => text, exit };
}

beforeAll(async () => {
  nats = await withNats([frontEdges, backEdges]);
  traces = await startOtlpReceiver();
  env = {
    SKILLGATE_NATS_URL: nats.url,
    SKILLGATE_NATS_PASSWORD_FRONT: nats.passwords.front,
    SKILLGATE_NATS_PASSWORD_BACK: nats.passwords.back,
    SKILLGATE_HTTP_PORT: '0',
    SKILLGATE_LOG_LEVEL: 'debug',
    SKILLGATE_DATABASE_URL: process.env.SKILLGATE_TEST_PG_ADMIN_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  };
}, 30_000);
afterEach(async () => {
  const alive = children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(alive.map((child) => [once(child, 'exit'), child.kill('SIGKILL')][0]));
});
afterAll(async () => {
  await nats.close();
  await traces.close();
});

describe('a process with two services, HTTP and a database', () => {
  it('continues the trace that came in, to the SQL of the other service, and records no query, header, value or probe', async () => {
    traces.clear();
    const house = start('./run-house.fixture.ts');
    const url = /^http:\S+$/m.exec(await house.said('\nhttp://'))![0];
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, authorization: 'Bearer plain-canary' };
    const answer = await fetch(`${url}/greet?name=plain-canary`, { headers });
    expect(await answer.json()).toEqual({ text: 'plain-canary', service: 'back', askedBy: 'front' });
    expect(await (await fetch(`${url}/spill`)).json()).toMatchObject({ told: expect.stringContaining('No instance') });
    house.process.kill('SIGTERM');
    expect(await house.exit).toBe(0);

    const spans = traces.trace(traceId);
    const parent = (id: string | null) => (id === 'b7ad6b7169203331' ? 'caller' : spans.find(({ spanId }) => spanId === id)?.name);
    expect(spans.map(({ service, name, parentSpanId }) => `${parent(parentSpanId)} -> ${service}: ${name}`).sort()).toEqual([
      'GET /greet -> front: call call.v1.back.greet',
      'call call.v1.back.greet -> back: serve call.v1.back.greet',
      'caller -> front: GET /greet',
      expect.stringMatching(/^serve call.v1.back.greet -> back: pg.query:SELECT/),
    ]);
    expect(JSON.stringify(traces.spans())).not.toContain('plain-canary');
    // The start, its SQL and the probe, whose check asks the database too, left nothing.
    const roots = traces.spans().filter(({ parentSpanId }) => parentSpanId === null);
    expect(roots.map(({ name }) => name)).toEqual(['GET /spill']);
  }, 30_000);
});

describe('SIGTERM', () => {
  it('lets the call in flight end, sends the traces, and ends with 0', async () => {
    const child = start('./run-back.fixture.ts');
    await child.said('back is ready');
    traces.clear();
    const front = await nats.connect('front');
    const inFlight = front.call(wait, { ms: 800 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.process.kill('SIGTERM');
    await expect(inFlight).resolves.toEqual({ waited: 800 });
    expect(await child.exit).toBe(0);
    expect(traces.spans().map(({ name }) => name)).toContain('serve call.v1.back.wait');
  }, 30_000);

  it('ends with 1 when the budget was too small, within the budget', async () => {
    const child = start('./run-back.fixture.ts', { SKILLGATE_DRAIN_MS: '600' });
    await child.said('back is ready');
    const front = await nats.connect('front');
    const call = front.call(wait, { ms: 20_000 }).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const began = Date.now();
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(1);
    expect(Date.now() - began).toBeLessThan(900);
    expect(await call).toMatchObject({ kind: 'unavailable' });
  }, 30_000);

  it('once more ends the process at once, but not when both came together', async () => {
    const child = start('./run-back.fixture.ts');
    await child.said('back is ready');
    const front = await nats.connect('front');
    front.call(wait, { ms: 20_000 }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.process.kill('SIGTERM');
    child.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(128 + 15);
  }, 30_000);

  it('while the service still waits for NATS ends it with 0', async () => {
    const port = await freePort();
    const child = start('./run-back.fixture.ts', {
      SKILLGATE_NATS_URL: `nats://127.0.0.1:${await freePort()}`,
      SKILLGATE_HEALTH_PORT: String(port),
    });
    const starting = async (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        async (response) => response.status === 503 && (await response.text()).includes('starting'),
        () => false, // not even listening yet
      );
    while (!(await starting())) await new Promise((resolve) => setTimeout(resolve, 50));
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(0);
  }, 30_000);
});

describe('a process that cannot start', () => {
  it('lists its bad variables and ends with 78', async () => {
    const child = start('./run-back.fixture.ts', { SKILLGATE_NATS_PASSWORD_BACK: '', SKILLGATE_HEALTH_PORT: 'canary' });
    expect(await child.exit).toBe(78);
    expect(child.output()).toContain('back cannot start: 2 variables are wrong or absent.\n  SKILLGATE_NATS_PASSWORD: is not set');
    expect(child.output()).not.toContain('canary');
  }, 30_000);

  it('says why in its log and ends with 1', async () => {
    const child = start('./run-back.fixture.ts', { SKILLGATE_NATS_PASSWORD_BACK: 'wrong' });
    expect(await child.exit).toBe(1);
    const last = JSON.parse(child.output().trim().split('\n').at(-1)!) as object;
    expect(last).toMatchObject({
      level: 'fatal',
      service: 'back',
      msg: 'back could not start',
      err: { message: expect.stringContaining('refuses user "back"') },
    });
  }, 30_000);
});

describe('the output of two processes', () => {
  it('holds no secret that a tool threw', async () => {
    traces.clear();
    const [back, front] = [start('./run-back.fixture.ts'), start('./run-front.fixture.ts')];
    await back.said('back is ready');
    const url = /"url":"([^"]+)"/.exec(await front.said('front is ready'))![1];
    expect(await (await fetch(`${url}/spill`)).json()).toEqual({ told: 'internal error' });
    for (const child of [front, back]) {
      child.process.kill('SIGTERM');
      expect(await child.exit).toBe(0);
    }
    expect(back.output()).toContain('the tool failed with');
    expect(back.output() + front.output()).not.toMatch(canaryShape);
    const spans = traces.spans();
    expect(spans.find(({ name }) => name === 'serve call.v1.back.spill')?.events).toHaveLength(2);
    expect(JSON.stringify(spans)).not.toMatch(canaryShape);
  }, 30_000);
});
