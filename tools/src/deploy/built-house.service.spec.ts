// Proves: what `nx build` makes is what runs in a container. The compose file's own variables, the committed NATS
// configuration and the migrations carry a turn through eight processes that know nothing of the sources.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HouseOperator, type HouseKeys } from '@skillgate/standalone/greet-house';
import { root } from '@skillgate/standalone/run-from-source';
import { offlineModelId } from '@skillgate/offline-model/start';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '../api-client.js';
import { askHouse } from '../ask-house.js';
import { type BuiltHouse, startBuiltHouse } from './built-house.fixture.js';
import { deployed } from './services.fixture.js';

const run = promisify(execFile);
const build = (...flags: string[]) => run(join(root, 'node_modules/.bin/nx'), ['run-many', '-t', 'build', ...flags], { cwd: root, env: { ...process.env, NX_DAEMON: 'false' } });

const built = (): string[] =>
  ['libs', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((room) => {
      const dist = join(root, kind, room, 'dist');
      return existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => join(dist, path)) : [];
    }),
  );

let seconds: number;
beforeAll(async () => {
  const began = performance.now();
  await build('--skip-nx-cache');
  seconds = (performance.now() - began) / 1000;
  await build(); // a build that asks no cache fills none either
}, 120_000);

describe('a build of everything', () => {
  it('takes less than 30 seconds and holds no test code', () => {
    expect(seconds).toBeLessThan(30);
    expect(built().filter((path) => path.endsWith('main.js')).length).toBeGreaterThanOrEqual(deployed.length);
    expect(built().filter((path) => /\.spec\.|\.fixtures?\.|spec-support/.test(path))).toEqual([]);
  });

  it('compiles nothing when nothing changed, and leaves no daemon', async () => {
    expect((await build()).stdout).toMatch(/read the output from the cache instead of running the command for (\d+) out of \1 tasks/);
    expect(existsSync(join(root, '.nx/workspace-data/d/server-process.json'))).toBe(false);
  }, 60_000);
});

describe('the built house', () => {
  let house: BuiltHouse;
  let keys: HouseKeys;

  beforeAll(async () => {
    house = await startBuiltHouse();
    const operator = new HouseOperator(house.url, { operatorKey: house.operatorKey, nats: {}, databases: {}, signing: {}, credentialKeys: [], accountKeys: {} }, () => undefined);
    await operator.approve(['docs']);
    keys = await operator.keys();
  }, 120_000);
  afterAll(() => house?.stop());

  it.each(deployed)('has $app live and ready', async ({ app }) => {
    const health = house.services[app]?.health;
    expect((await fetch(`${health}/health/live`)).status).toBe(200);
    const ready = await fetch(`${health}/health/ready`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({ status: 200, body: { ready: true } });
  });

  it('makes a Word file of a document, and its trace passes every service that a turn needs', async () => {
    const client = new ApiClient(house.url, keys.pro);
    const file = await client.upload('house.md', 'text/markdown', readFileSync(join(root, 'docs/house.md')));
    const asked = await askHouse({
      url: house.url,
      key: keys.pro,
      model: offlineModelId,
      request: 'Turn this document into a one-page briefing as a Word file.',
      artifacts: [file.id],
      onProgress: () => undefined,
      onText: () => undefined,
    });
    const docx = asked.artifacts.find(({ name }) => name.endsWith('.docx'));
    expect(docx).toBeDefined();
    expect(Buffer.from(await client.download(docx?.id ?? '')).subarray(0, 2).toString()).toBe('PK');
    const passed = (all: { service: string; traceId: string }[]) => [...new Set(all.filter(({ traceId }) => traceId === asked.traceId).map(({ service }) => service))].sort();
    // A turn asks accounts nothing but whose key it is, and the gateway remembers that: the rest it was told by events.
    // A document needs no outside system and no web.
    const others = deployed.map(({ definition }) => definition.name).filter((name) => !['accounts', 'slack', 'web'].includes(name));
    const expected = others.sort();
    await house.traces.until((all) => passed(all).length === expected.length, 15_000);
    expect(passed(house.traces.spans())).toEqual(expected);
  }, 60_000);

  it('drains every service on SIGTERM', async () => {
    const ended = Object.entries(house.services).map(async ([app, { process }]) => {
      await process.stop('SIGTERM', 30_000);
      return [app, (await process.ended).code];
    });
    expect(Object.fromEntries(await Promise.all(ended))).toEqual(Object.fromEntries(deployed.map(({ app }) => [app, 0])));
  }, 40_000);
});
