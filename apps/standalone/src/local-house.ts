import { freePort } from '@skillgate/backing/free-port';
import { type LocalNats, startNats } from '@skillgate/backing/nats';
import { type OtlpReceiver, startOtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { type LocalPostgres, startPostgres } from '@skillgate/backing/postgres';
import type { ServiceEdges } from '@skillgate/contracts/service-edges';
import { startOfflineModel } from '@skillgate/offline-model/start';
import { connectWire } from '@skillgate/wire/connect';
import { natsConfig } from '@skillgate/wire/permissions';
import type { Wire } from '@skillgate/wire/wire';
import { createWriteStream, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { HouseOperator, type HouseKeys } from './greet-house.js';
import { houseEnvironment } from './house-environment.js';
import { houseSecrets } from './house-secrets.js';
import { edgesWithGuests, executors } from './house-services.js';
import { migrateHouse } from './migrate-house.js';
import { type Standalone, startStandalone } from './start-standalone.js';
import { buildHouse, startSplit } from './split-processes.js';
import { untilReady } from './until-ready.js';

export interface LocalHouseOptions {
  /** Holds secrets, databases and logs of this house; the same folder brings the same house back. */
  stateDir: string;
  /** 0 or absent: a free one. */
  port?: number;
  /** Take a free port when that one is taken, instead of failing. */
  portMayMove?: boolean;
  /** Base URL of an OpenAI-compatible endpoint; absent: SKILLGATE_MODEL_BASE_URL, else the offline model. */
  modelUrl?: string;
  /** Each service in a process of its own. */
  split?: boolean;
  /** How many of every service, in this process; 1 unless given. */
  replicas?: number;
  /** What the broker lets each service do, where that is not what its edges say: to see a house in which something is not heard. */
  edges?: readonly ServiceEdges[];
  /** Executors that are started elsewhere: NATS knows them, and what they announce is approved as soon as it is seen. */
  guests?: readonly string[];
  /** False: data need not survive the machine (tests). */
  durable?: boolean;
  /** Variables for the services, above those of this process. */
  env?: NodeJS.ProcessEnv;
  /** Traces stay in a receiver of this process, whatever OTEL_EXPORTER_OTLP_ENDPOINT says. */
  ownTraces?: boolean;
  tell?: (line: string) => void;
  /** A split service that ended by itself. */
  onExit?: (name: string, code: number | null) => void;
}

export interface LocalHouse {
  readonly url: string;
  /** Of every gateway. */
  readonly urls: readonly string[];
  readonly keys: HouseKeys;
  /** Where traces go. */
  readonly otlp: string;
  /** Absent when traces go to a receiver of the operator's own. */
  readonly receiver?: OtlpReceiver;
  readonly nats: LocalNats;
  readonly postgres: LocalPostgres;
  /** Process ids by service; in one process all the same. */
  readonly pids: Readonly<Record<string, number>>;
  /** A connection of a service's own, with its permissions and no more: for looking at what they refuse. */
  connectAs(service: string): Promise<Wire>;
  /** What each guest needs to start, by its name. */
  readonly guests: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** True while no real model is configured. */
  readonly offlineModel: boolean;
  stop(): Promise<void>;
}

/** The whole house on this machine: NATS with the generated permissions, PostgreSQL, every service, ready and greeted. */
export async function startLocalHouse(options: LocalHouseOptions): Promise<LocalHouse> {
  const tell = options.tell ?? (() => undefined);
  const ending: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  const begun = <T>(what: T, end: () => Promise<void>): T => {
    ending.push(end);
    return what;
  };
  try {
    const { guests: guestNames = [] } = options;
    const edges = options.edges ?? edgesWithGuests(guestNames);
    const { secrets, save } = await houseSecrets(options.stateDir, guestNames);
    tell('starting NATS and PostgreSQL');
    const [nats, postgres] = await Promise.all([
      startNats({ stateDir: join(options.stateDir, 'nats'), config: (port, storeDir) => natsConfig(edges, secrets.nats, { port, storeDir }) }).then((server) =>
        begun(server, () => server.stop()),
      ),
      startPostgres({ stateDir: join(options.stateDir, 'postgres'), durable: options.durable }).then((server) => begun(server, () => server.stop())),
    ]);
    writeFileSync(join(options.stateDir, 'nats-url'), `${nats.url}\n`); // bin/skillgate finds the house by it
    const databaseUrl = await postgres.createDatabase('skillgate');
    const ran = await migrateHouse(databaseUrl, (schema) => secrets.databases[schema] ?? '');
    if (ran.length > 0) tell(`migrated ${ran.length} steps`);
    const wanted = { ...process.env, ...options.env };
    const given = options.ownTraces ? undefined : wanted.OTEL_EXPORTER_OTLP_ENDPOINT;
    const receiver = given ? undefined : begunReceiver(await startOtlpReceiver(), begun);
    const otlp = given ?? receiver?.url ?? '';
    const realModel = options.modelUrl ?? wanted.SKILLGATE_MODEL_BASE_URL;
    const offline = realModel ? undefined : await startOfflineModel();
    if (offline) begun(offline, () => offline.stop());
    const modelUrl = realModel ?? offline?.url ?? '';
    const httpPort = await choosePort(options);
    const env = { ...wanted, ...houseEnvironment(secrets, { natsUrl: nats.url, databaseUrl, modelUrl, otlp, httpPort }) };
    const logFile = join(options.stateDir, 'house.log');
    tell(options.split ? 'building, then starting each service in a process of its own' : 'starting all services in one process');
    if (options.split) await buildHouse();
    const { urls, pids, end } = options.split ? splitHouse(env, httpPort, logFile, options.onExit) : await oneProcess(env, logFile, options.replicas ?? 1);
    const [url = ''] = urls;
    begun(url, end);
    await untilReady(url);
    writeFileSync(join(options.stateDir, 'url'), `${url}\n`);
    const operator = new HouseOperator(url, secrets, tell);
    await operator.approve(executors.map(({ executor }) => executor.name));
    const keys = await operator.keys();
    save();
    const guests = Object.fromEntries(guestNames.map((name) => [name, writeGuest(options.stateDir, name, { SKILLGATE_NATS_URL: nats.url, SKILLGATE_NATS_PASSWORD: secrets.nats[name], OTEL_EXPORTER_OTLP_ENDPOINT: otlp })]));
    if (guestNames.length > 0) {
      const watching = operator.welcome(guestNames);
      begun(watching, async () => watching.close());
    }
    const connectAs = async (service: string) => {
      const wire = await connectWire({ service, servers: nats.url, user: service, password: secrets.nats[service] ?? '' });
      return begun(wire, () => wire.close());
    };
    return { connectAs, url, urls, keys, otlp, receiver, nats, postgres, pids, guests, offlineModel: offline !== undefined, stop };
  } catch (error) {
    await stop().catch(() => undefined); // the first error is the one to tell
    throw error;
  }
}

/** A file that a shell reads, for the owner of the house alone. */
function writeGuest(stateDir: string, name: string, env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const lines = Object.entries(env).map(([variable, value]) => `export ${variable}=${value}\n`);
  writeFileSync(join(stateDir, `${name}.env`), lines.join(''), { mode: 0o600 });
  return env;
}

async function choosePort({ port = 0, portMayMove = false }: LocalHouseOptions): Promise<number> {
  if (port === 0) return freePort();
  if (await isFree(port)) return port;
  if (portMayMove) return freePort();
  throw new Error(`port ${port} is taken by another process; choose another with --port`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

function begunReceiver(receiver: OtlpReceiver, begun: <T>(what: T, end: () => Promise<void>) => T): OtlpReceiver {
  return begun(receiver, () => receiver.close());
}

interface StartedServices {
  urls: string[];
  pids: Record<string, number>;
  end: () => Promise<void>;
}

async function oneProcess(env: NodeJS.ProcessEnv, logFile: string, replicas: number): Promise<StartedServices> {
  const houses: Standalone[] = [];
  const end = async () => {
    for (const house of houses.splice(0).reverse()) await house.stop();
  };
  try {
    for (let n = 0; n < replicas; n += 1) {
      const port = n === 0 ? {} : { SKILLGATE_HTTP_PORT: String(await freePort()) };
      houses.push(await startStandalone({ ...env, ...port }, createWriteStream(logFile, { flags: 'a' })));
    }
  } catch (error) {
    await end().catch(() => undefined); // the first error is the one to tell
    throw error;
  }
  const services = houses.flatMap((house) => house.services);
  return { urls: houses.map(({ url }) => url), pids: Object.fromEntries(services.map(({ name }) => [name, process.pid])), end };
}

function splitHouse(env: NodeJS.ProcessEnv, port: number, logFile: string, onExit: LocalHouseOptions['onExit']): StartedServices {
  const house = startSplit(env, logFile, onExit ?? (() => undefined));
  return { urls: [`http://127.0.0.1:${port}`], pids: Object.fromEntries(house.services.map(({ name, pid }) => [name, pid])), end: () => house.stop() };
}
