import { spawn } from 'node:child_process';
import type { StartSubject } from '@skillgate/executor-kit/conform/examined';

/** Each call starts one more process. What it writes goes to stderr, since the report is on stdout. */
export const startCommand =
  ([command = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartSubject =>
  async () => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 2, 2] });
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', (error) => reject(new Error(`"${command}" does not start: ${error.message}`))));
    let ended: { code: number | null } | undefined;
    const gone = new Promise<number | null>((resolve) =>
      child.once('exit', (code) => {
        ended = { code };
        resolve(code);
      }),
    );
    return {
      ended: () => ended,
      stop: () => {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 40_000); // longer than the suite waits
        return gone.finally(() => clearTimeout(timer));
      },
    };
  };
