import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { startOwnProcess, type OwnProcess } from './own-process.js';
import { initCluster } from './postgres-initdb.js';
import { postgresPlace, type PostgresPlace } from './postgres-place.js';
import { claimState } from './state-holder.js';

export interface LocalPostgres {
  /** Superuser, database `postgres`. */
  readonly adminUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Creates the database unless it is there; answers with the superuser's URL for it. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
  /** Fast shutdown and start on the same port: every client loses its connection. */
  restart(): Promise<void>;
}

const startTries = 3; // a free port may be taken between asking and binding

/**
 * Starts a real PostgreSQL on 127.0.0.1, with its cluster under `stateDir` (made on the first start).
 *
 * @param durable false skips every fsync: for tests, whose data may be lost with the machine
 * @param stateDir without one, a temporary folder that is removed by `stop` or after this process died
 */
export async function startPostgres(options: { stateDir?: string; durable?: boolean; port?: number } = {}): Promise<LocalPostgres> {
  const ephemeral = options.stateDir === undefined ? mkdtempSync(join(tmpdir(), 'skillgate-postgres-')) : undefined;
  if (ephemeral) chmodSync(ephemeral, 0o711); // the user postgres must pass
  const place = postgresPlace(options.stateDir ?? (ephemeral as string));
  const durable = options.durable ?? true;
  const password = adminPassword(place);
  if (!existsSync(place.dataDir)) await initCluster(place, password, durable);

  let port = options.port ?? (await freePort());
  let server: OwnProcess;
  for (let tries = 1; ; tries += 1) {
    try {
      server = await startOnce(place, port, password, durable, ephemeral);
      break;
    } catch (error) {
      if (options.port !== undefined || tries === startTries || !String(error).includes('Address already in use')) throw error;
      port = await freePort();
    }
  }
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const stopServer = () => server.stop('SIGINT'); // "fast": disconnects clients instead of waiting for them
  return {
    adminUrl: urlOf('postgres'),
    port,
    get pid() {
      return server.pid;
    },
    async createDatabase(name) {
      await withClient(urlOf('postgres'), async (client) => {
        const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
      });
      return urlOf(name);
    },
    async stop() {
      await stopServer();
      if (ephemeral) rmSync(ephemeral, { recursive: true, force: true });
    },
    async restart() {
      await stopServer();
      server = await startOnce(place, port, password, durable, ephemeral);
    },
  };
}

/** Kept beside the state, so that the cluster opens again on the next start. */
function adminPassword(place: PostgresPlace): string {
  if (existsSync(place.passwordFile)) return readFileSync(place.passwordFile, 'utf8').trim();
  if (existsSync(place.dataDir)) {
    throw new Error(
      `${place.passwordFile} is gone, and the cluster in ${place.dataDir} cannot be opened without it. Remove that folder to begin anew.`,
    );
  }
  const password = randomBytes(18).toString('hex');
  writeFileSync(place.passwordFile, `${password}\n`, { mode: 0o600 });
  return password;
}

const relaxed = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

async function startOnce(place: PostgresPlace, port: number, password: string, durable: boolean, ephemeral?: string): Promise<OwnProcess> {
  await claimState(join(place.dataDir, 'postmaster.pid'), place.dataDir);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', ...(durable ? [] : relaxed)];
  const server = await startOwnProcess({
    command: join(place.home, 'bin/postgres'),
    args: ['-D', place.dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    logFile: place.logFile,
    deathSignal: 'SIGINT',
    user: place.user,
    removeAfterDeath: ephemeral,
  });
  try {
    await answersAsOurs(server, `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, place.dataDir);
    return server;
  } catch (error) {
    await server.stop('SIGKILL');
    const message = `PostgreSQL did not come up in ${place.dataDir}: ${(error as Error).message}. It said:\n${server.lastWords()}`;
    throw new Error(message, { cause: error });
  }
}

/** Waits until a server answers there and says that it works on our folder; a port alone proves nothing. */
async function answersAsOurs(server: OwnProcess, url: string, dataDir: string, patienceMs = 30_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      const found = await withClient(url, (client) => client.query<{ data_directory: string }>('SHOW data_directory'));
      if (found.rows[0]?.data_directory === dataDir) return;
      throw new Error(`the server on that port works on ${found.rows[0]?.data_directory}`);
    } catch (error) {
      if (!server.running() || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // a connection lost in mid-query also fails the query, which is awaited
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
