import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StartedGateway } from './gateway-house.fixture.js';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const register = fileURLToPath(new URL('../../../tools/register.mjs', import.meta.url));

/** Where a whole run of tests is watched, this process is too. */
const { SKILLGATE_SUITE_WORDS, SKILLGATE_SUITE_OPTIONS } = process.env;
const watched = SKILLGATE_SUITE_WORDS ? { SKILLGATE_SUITE_WORDS, NODE_OPTIONS: SKILLGATE_SUITE_OPTIONS } : {};

/** The gateway as in production: a process of its own, whose HTTP is traced, and which SIGTERM stops. */
export async function inOwnProcess(env: NodeJS.ProcessEnv): Promise<StartedGateway> {
  const child = spawn(process.execPath, ['--conditions=@skillgate/source', '--import', register, main], {
    env: { PATH: process.env.PATH, ...watched, ...env, SKILLGATE_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const told = JSON.parse(line) as { url?: string };
      if (told.url) resolve(told.url);
    });
    void exited.then((code) => reject(new Error(`the gateway ended with ${code} before it was ready`)));
  });
  return {
    url: await url,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exited;
      if (code !== 0) throw new Error(`the gateway ended with ${code}`);
    },
  };
}
