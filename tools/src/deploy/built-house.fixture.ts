import { startNats } from '@skillgate/backing/nats';
import { startOtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { type OwnProcess, startOwnProcess } from '@skillgate/backing/own-process';
import { startPostgres } from '@skillgate/backing/postgres';
import { untilReady } from '@skillgate/standalone/until-ready';
import { root } from '@skillgate/standalone/run-from-source';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Container, containers, environmentOf } from './compose.fixture.js';
import { newEnvironment } from './environment.js';
import { deployed } from './services.fixture.js';

type Started = Awaited<ReturnType<typeof startBuiltHouse>>;
export type BuiltHouse = Started;

export interface Images {
  /** Holds what an image has under `/srv/skillgate`; the checkout after a build, unless given. */
  rootOf?: (app: string) => string;
  /** The Node to run them; this one unless given. */
  node?: string;
}

/**
 * The compose file without containers: the built services, each with exactly the variables of its container, the
 * committed NATS configuration, and the migrations. Only addresses and ports are changed to those of this machine.
 */
export async function startBuiltHouse({ rootOf = () => root, node = process.execPath }: Images = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-built-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const ending: (() => unknown)[] = [() => rmSync(stateDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    const secrets = parseEnv(await newEnvironment());
    const nats = await startNats({ stateDir: join(stateDir, 'nats'), config: onThisMachine, env: { ...process.env, ...secrets } });
    ending.push(() => nats.stop());
    const postgres = await startPostgres({ stateDir: join(stateDir, 'postgres'), durable: false });
    ending.push(() => postgres.stop());
    const admin = new URL(await postgres.createDatabase('skillgate'));
    const traces = await startOtlpReceiver();
    ending.push(() => traces.close());
    const [httpPort, modelPort] = [await quietPort(), await quietPort()];

    const here = (value: string) =>
      value
        .replace(`postgres:${secrets.POSTGRES_PASSWORD}@`, `${admin.username}:${admin.password}@`)
        .replace('@postgres:5432/', `@${admin.host}/`)
        .replace('nats://nats:4222', nats.url)
        .replace('http://jaeger:4318', traces.url)
        .replace('http://prometheus:9090/api/v1/otlp', traces.url)
        .replace('http://offline-model:4017', `http://127.0.0.1:${modelPort}`)
        .replace('0.0.0.0', '127.0.0.1');

    const start = async (name: string, changed: Record<string, string> = {}): Promise<OwnProcess> => {
      const container = containers[name] as Container & { build: { args: { APP: string } } };
      const app = container.build.args.APP;
      const [main = 'dist/main.js'] = container.command ?? [];
      const own = Object.entries(environmentOf(container, secrets)).map(([variable, value]) => [variable, here(value)]);
      return startOwnProcess({
        command: node,
        args: ['--enable-source-maps', join(rootOf(app), 'apps', app, main)],
        env: { NODE_ENV: 'production', ...(Object.fromEntries(own) as Record<string, string>), ...changed },
        logFile: join(stateDir, `${name}.log`),
        deathSignal: 'SIGTERM',
      });
    };

    const migrate = await start('migrate');
    if ((await migrate.finish()).code !== 0) throw new Error(`the migrations failed:\n${migrate.lastWords()}`);
    const model = await start('offline-model', { SKILLGATE_OFFLINE_MODEL_PORT: String(modelPort) });
    ending.push(() => model.stop('SIGTERM'));
    const services: Record<string, { process: OwnProcess; health: string }> = {};
    for (const { app } of deployed) {
      const healthPort = String(await quietPort());
      const process = await start(app, { SKILLGATE_HEALTH_PORT: healthPort, SKILLGATE_HTTP_PORT: String(httpPort) });
      ending.push(() => process.stop('SIGTERM'));
      services[app] = { process, health: `http://127.0.0.1:${healthPort}` };
    }
    for (const [app, { process, health }] of Object.entries(services)) {
      const died = process.ended.then(({ code }) => Promise.reject(new Error(`${app} ended with ${code}:\n${process.lastWords()}`)));
      await Promise.race([untilReady(health, 30_000), died]);
      died.catch(() => undefined); // from here on its end is wanted
    }
    return { url: `http://127.0.0.1:${httpPort}`, services, traces, migrations: migrate.lastWords(), operatorKey: secrets.SKILLGATE_OPERATOR_KEY ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * A free port that stays free: a port that the system hands out may become the far end of some service's connection
 * before another service listens on it. Both Linux (from 32768) and macOS (from 49152) hand out higher ones.
 */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/** The committed file; the server takes address and port from its command line. */
const onThisMachine = (_port: number, storeDir: string): string =>
  readFileSync(join(root, 'deploy/nats/nats.conf'), 'utf8')
    .replace(/^http: .*$/m, '')
    .replace('store_dir: "/data"', `store_dir: ${JSON.stringify(storeDir)}`);
