import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { commandLine } from './state-holder.js';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Runs the holder of both servers; answers with their pids once they are up. */
async function hold(way: string) {
  const args = ['--import', pathOf('../../../tools/register.mjs'), pathOf('./hold-servers.fixture.ts'), way];
  const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
  return { holder, pids: JSON.parse(line) as number[] };
}

async function gone(pids: number[]): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (pids.every((pid) => commandLine(pid) === undefined)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

describe('the servers that a process started', () => {
  it.each(['returning from main', 'process.exit', 'an uncaught error'])('end with it on %s', async (way) => {
    const { holder, pids } = await hold(way);
    if (holder.exitCode === null) await once(holder, 'exit');
    expect(pids).toHaveLength(2);
    expect(await gone(pids)).toBe(true);
  }, 60_000);

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('end with it on %s', async (signal) => {
    const { holder, pids } = await hold('waiting');
    for (const pid of pids) expect(commandLine(pid)).toMatch(/nats-server|postgres/);
    holder.kill(signal);
    await once(holder, 'exit');
    expect(await gone(pids)).toBe(true);
  }, 60_000);
});
