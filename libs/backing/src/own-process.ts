import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface OwnProcess {
  readonly pid: number;
  /** Resolves when it has ended, however that came about; never rejects. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  running(): boolean;
  /** `ended`, keeping the event loop alive meanwhile. */
  finish(): OwnProcess['ended'];
  /** Sends `signal`, waits, and after `graceMs` sends SIGKILL. Resolves when the process is gone. */
  stop(signal: NodeJS.Signals, graceMs?: number): Promise<void>;
  /** The last lines that it logged, for an error message. */
  lastWords(): string;
}

/**
 * The watcher outlives us by design: it reads a pipe that only this process holds. End of file means that we are gone,
 * by whatever cause (an exit, a signal, SIGKILL), and then it ends the server; a line means that we did it ourselves.
 */
const watcherScript = `
  read -r order && exit 0
  kill -s "$2" "$1" 2>/dev/null
  tries=0
  while kill -0 "$1" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$1" 2>/dev/null
  [ -z "$3" ] || rm -rf -- "$3"
`;

function watch(pid: number, signal: NodeJS.Signals, removeAfter: string): ChildProcess {
  const args = ['-c', watcherScript, 'skillgate-watcher', String(pid), signal.replace(/^SIG/, ''), removeAfter];
  const watcher = spawn('/bin/sh', args, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.stdin?.on('error', () => undefined); // the watcher may be killed before us; the server is still ours to stop
  (watcher.stdin as unknown as { unref(): void }).unref();
  watcher.unref();
  return watcher;
}

/**
 * Starts a server that ends with this process. It gets a process group of its own, so that Ctrl-C in a terminal reaches
 * us alone and services can drain before their broker and database go.
 *
 * The server does not keep the event loop alive.
 */
export async function startOwnProcess(start: {
  command: string;
  args: readonly string[];
  logFile: string;
  /** What the watcher sends when this process dies without having called `stop`. */
  deathSignal: NodeJS.Signals;
  user?: { uid: number; gid: number };
  env?: NodeJS.ProcessEnv;
  /** A folder that the watcher removes in that case. */
  removeAfterDeath?: string;
}): Promise<OwnProcess> {
  const log = openSync(start.logFile, 'w');
  const child = spawn(start.command, start.args, {
    cwd: '/', // the checkout may be closed to `user`
    detached: true,
    stdio: ['ignore', log, log],
    env: start.env ?? process.env,
    ...start.user,
  });
  closeSync(log);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error(`cannot run ${start.command}: ${cause.message}`, { cause })));
  });
  const pid = child.pid as number;
  const watcher = watch(pid, start.deathSignal, start.removeAfterDeath ?? '');
  void ended.then(() => watcher.stdin?.end('ended\n')); // its pid may soon be somebody else's
  child.unref();
  const running = () => child.exitCode === null && child.signalCode === null;

  const finish = () => {
    child.ref();
    return ended;
  };

  return {
    pid,
    ended,
    running,
    lastWords: () => readFileSync(start.logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n'),
    finish,
    async stop(signal, graceMs = 10_000) {
      if (!running()) return;
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await finish();
      clearTimeout(timer);
    },
  };
}
