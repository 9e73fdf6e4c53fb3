import { root } from '@skillgate/standalone/run-from-source';
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Process {
  readonly child: ChildProcess;
  ready: boolean;
}

export interface Orchestrators {
  /**
   * SIGKILL to the one that has been ready for longest; another is started in its place. False: it would have been the last one,
   * and nobody would be there to take over, since on a slow machine a start takes longer than the pause between two kills.
   */
  killOne(): boolean;
  readonly killed: number;
  /** Of each turn that was taken over: milliseconds since its lease lapsed. */
  readonly lapsedMs: readonly number[];
  /** Resolves when all of them are ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** Orchestrators in processes of their own, from `dist` as in production. */
export function startOrchestrators(count: number, env: NodeJS.ProcessEnv, folder: string): Orchestrators {
  const log = createWriteStream(join(folder, 'orchestrators.log'));
  const lapsedMs: number[] = [];
  const processes: Process[] = [];
  let killed = 0;
  let stopping = false;

  const hear = (process: Process, line: string) => {
    log.write(`${process.child.pid} ${line}\n`);
    if (!line.startsWith('{')) return;
    const { msg, lapsedMs: lapsed } = JSON.parse(line) as { msg?: string; lapsedMs?: number };
    if (msg === 'orchestrator is ready') process.ready = true;
    if (msg === 'a turn that lost its instance was taken over' && lapsed !== undefined) lapsedMs.push(lapsed);
  };
  const start = () => {
    const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'apps/orchestrator/dist/main.js')], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const started: Process = { child, ready: false };
    processes.push(started);
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream! }).on('line', (line) => hear(started, line));
    child.once('exit', () => {
      processes.splice(processes.indexOf(started), 1);
      if (!stopping) start();
    });
  };
  for (let n = 0; n < count; n += 1) start();

  return {
    lapsedMs,
    get killed() {
      return killed;
    },
    killOne() {
      const [oldest, another] = processes.filter(({ ready }) => ready);
      if (!oldest || !another) return false;
      oldest.ready = false;
      killed += 1;
      return oldest.child.kill('SIGKILL');
    },
    async ready() {
      while (processes.filter(({ ready }) => ready).length < count) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async stop() {
      stopping = true;
      await Promise.all(
        processes.map(({ child }) => {
          const gone = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return gone;
        }),
      );
      log.end();
    },
  };
}
