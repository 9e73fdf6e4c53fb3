import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executors, platformServices } from './house-services.js';
import { root } from './run-from-source.js';

/** One service in a process of its own. */
export interface SplitService {
  readonly name: string;
  readonly pid: number;
}

export interface SplitHouse {
  readonly services: readonly SplitService[];
  /** SIGTERM to all, as Kubernetes does, and SIGKILL to who is still there after `budgetMs`. */
  stop(budgetMs?: number): Promise<void>;
}

/** Builds what has changed since the last build: processes of their own run as in production, from `dist`. */
export async function buildHouse(): Promise<void> {
  const env = { ...process.env, NX_DAEMON: 'false' }; // a daemon would stay behind
  await promisify(execFile)(join(root, 'node_modules/.bin/nx'), ['run-many', '-t', 'build'], { cwd: root, env }).catch((error: { stdout?: string; message: string }) => {
    throw new Error(`the build failed:\n${error.stdout ?? error.message}`, { cause: error });
  });
}

/** Starts every service as a process of its own, their logs together in one file. `onExit` hears of one that ended by itself. */
export function startSplit(env: NodeJS.ProcessEnv, logFile: string, onExit: (name: string, code: number | null) => void): SplitHouse {
  const log = openSync(logFile, 'a');
  const apps = [...platformServices.map(({ name }) => ({ name, app: name })), ...executors.map(({ app, executor }) => ({ name: executor.name, app }))];
  let stopping = false;
  const children = apps.map(({ name, app }) => {
    const child = spawn(process.execPath, ['--enable-source-maps', mainOf(app)], { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
    child.once('exit', (code) => {
      if (!stopping) onExit(name, code);
    });
    return { name, child };
  });
  return {
    services: children.map(({ name, child }) => ({ name, pid: child.pid ?? 0 })),
    stop: async (budgetMs = 25_000) => {
      stopping = true;
      await Promise.all(children.map(({ child }) => end(child, budgetMs)));
    },
  };
}

function mainOf(app: string): string {
  const main = join(root, 'apps', app, 'dist/main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: build it with npx nx run-many -t build`);
  return main;
}

async function end(child: ChildProcess, budgetMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), budgetMs);
  await gone;
  clearTimeout(timer);
}
