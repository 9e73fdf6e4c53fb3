import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.js';
import { findNatsServer } from './nats-binary.js';
import { greetNats } from './nats-greeting.js';
import { startOwnProcess, type OwnProcess } from './own-process.js';
import { claimState } from './state-holder.js';

export interface LocalNats {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Of the server that runs now; another one after `restart`. */
  readonly pid: number;
  /** Ends it in good order: clients are told, JetStream state is on disk. */
  stop(): Promise<void>;
  /** SIGKILL, for tests of what the house does then. */
  kill(): Promise<void>;
  /** Stops it if it runs, and starts it on the same port with the same state. */
  restart(): Promise<void>;
}

const startTries = 3; // a free port may be taken between asking and binding

/**
 * Starts `nats-server` on 127.0.0.1 with its state under `stateDir`: `nats.conf`, `nats.log`, `nats.pid`, `nats-data`.
 *
 * Name, address and port are given on the command line and so stand above what `config` says. JetStream keeps its files
 * in the second argument of `config`; a configuration without `store_dir` gets that folder too.
 *
 * @throws when there is no binary, the configuration is refused (with the server's words), or the folder is in use
 */
export async function startNats(options: {
  /** Without one: a temporary folder, removed by `stop` or after this process died. */
  stateDir?: string;
  config: (port: number, storeDir: string) => string;
  /** Without one: a free one. */
  port?: number;
  env?: NodeJS.ProcessEnv;
}): Promise<LocalNats> {
  const binary = findNatsServer(options.env);
  const ephemeral = options.stateDir === undefined ? mkdtempSync(join(tmpdir(), 'skillgate-nats-')) : undefined;
  const stateDir = resolve(ephemeral ?? (options.stateDir as string));
  mkdirSync(stateDir, { recursive: true });
  const { config, env } = options;
  const start = (port: number) => startOnce({ binary, stateDir, port, config, env, removeAfterDeath: ephemeral });
  let port = options.port ?? (await freePort());
  let server: OwnProcess;
  for (let tries = 1; ; tries += 1) {
    try {
      server = await start(port);
      break;
    } catch (error) {
      if (options.port !== undefined || tries === startTries || !(error instanceof PortTaken)) throw error;
      port = await freePort();
    }
  }
  const stopServer = () => server.stop('SIGTERM');
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    async stop() {
      await stopServer();
      if (ephemeral) rmSync(ephemeral, { recursive: true, force: true });
    },
    kill: () => server.stop('SIGKILL'),
    async restart() {
      await stopServer();
      server = await start(port);
    },
  };
}

class PortTaken extends Error {}

async function startOnce(start: {
  binary: string;
  stateDir: string;
  port: number;
  config: (port: number, storeDir: string) => string;
  env?: NodeJS.ProcessEnv;
  removeAfterDeath?: string;
}): Promise<OwnProcess> {
  const configFile = join(start.stateDir, 'nats.conf');
  const pidFile = join(start.stateDir, 'nats.pid');
  await claimState(pidFile, configFile);
  const storeDir = join(start.stateDir, 'nats-data');
  const config = start.config(start.port, storeDir);
  // Named twice, the server refuses to start; not named at all, it would share a folder in /tmp with every other server.
  const storeFlag = /\bstore_?dir\b/i.test(config) ? [] : ['-sd', storeDir];
  rmSync(configFile, { force: true }); // one from an earlier run may be open to others
  writeFileSync(configFile, config, { mode: 0o600 }); // passwords stand in it
  const name = `skillgate-${randomBytes(8).toString('hex')}`;
  const server = await startOwnProcess({
    command: start.binary,
    args: ['-c', configFile, '-n', name, '-a', '127.0.0.1', '-p', String(start.port), '-P', pidFile, ...storeFlag],
    logFile: join(start.stateDir, 'nats.log'),
    deathSignal: 'SIGTERM',
    env: start.env,
    removeAfterDeath: start.removeAfterDeath,
  });
  const greeting = await greetNats(start.port, name, server);
  if (greeting === 'ours') return server;
  await server.stop('SIGKILL');
  const words = server.lastWords();
  if (greeting === 'somebody-else' || words.includes('address already in use')) {
    throw new PortTaken(`another process answers on 127.0.0.1:${start.port}; choose another port. nats-server said:\n${words}`);
  }
  throw new Error(`nats-server did not come up (${start.binary}, ${configFile}). It said:\n${words}`);
}
