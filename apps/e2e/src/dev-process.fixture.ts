import type { HouseKeys } from '@skillgate/standalone/greet-house';
import { root, sourceFlags } from '@skillgate/standalone/run-from-source';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface DevHouse {
  readonly url: string;
  readonly keys: HouseKeys;
  readonly otlp: string;
  readonly pid: number;
  /** What `bin/dev` has written to standard error so far. */
  told(): string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `bin/dev --json` and waits for its line. @throws with its last words when it ends instead */
export async function startDev(flags: string[], env: NodeJS.ProcessEnv): Promise<DevHouse> {
  const stateDir = mkdtempSync(join(tmpdir(), 'skillgate-dev-'));
  chmodSync(stateDir, 0o711); // the user postgres must pass
  const child = spawn(process.execPath, [...sourceFlags, join(root, 'tools/src/dev.ts'), '--json', '--state', stateDir, ...flags], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: process.env.SKILLGATE_SUITE_OPTIONS ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let told = '';
  child.stderr.on('data', (piece: Buffer) => (told += piece.toString()));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    gone.then((code) => {
      throw new Error(`bin/dev ended with ${code}:\n${told}\n${readLog(stateDir)}`);
    }),
  ]);
  return {
    ...(JSON.parse(line) as Pick<DevHouse, 'url' | 'keys' | 'otlp' | 'pid'>),
    told: () => told,
    async stop() {
      child.kill('SIGTERM');
      const code = await gone;
      rmSync(stateDir, { recursive: true, force: true });
      return code;
    },
  };
}

function readLog(stateDir: string): string {
  try {
    return readFileSync(join(stateDir, 'house.log'), 'utf8').slice(-4_000);
  } catch {
    return '(no log)'; // it ended before any service began
  }
}
