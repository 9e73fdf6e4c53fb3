import { root, sourceFlags } from '@skillgate/standalone/run-from-source';
import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Sends a message and waits for the next one. @throws Error when the process ends before that */
  ask<T>(message: object): Promise<T>;
  /** The next message. */
  hear<T>(): Promise<T>;
  stop(): Promise<void>;
}

/** A file of tools/src as a process of its own, from source. It ends by itself when this process is gone. */
export function startSource(file: string, env: NodeJS.ProcessEnv, logFile: string): SourceProcess {
  const log = openSync(logFile, 'a');
  const child = fork(join(root, 'tools/src', file), { cwd: root, env, execArgv: sourceFlags, stdio: ['ignore', log, log, 'ipc'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hear = <T>() =>
    new Promise<T>((resolve, reject) => {
      const ended = () => reject(new Error(`${file} ended by itself; its last words stand in ${logFile}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as T);
      });
    });
  return {
    child,
    pid: child.pid ?? 0,
    hear,
    ask(message) {
      const heard = hear<never>();
      child.send(message);
      return heard;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
