import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';

/** The command line of a live process, or undefined. */
export function commandLine(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') || undefined;
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined; // no such process: both ways of asking fail then
  }
}

/**
 * Makes sure that no live server uses a state folder. A pid file left by a crash is removed, also when its number now
 * belongs to somebody else; a server that is on its way out is waited for.
 *
 * @param mark text that the server's command line contains, such as the path of its folder
 * @throws when the server is still there after `patienceMs`; nothing is killed, it may be another run of ours
 */
export async function claimState(pidFile: string, mark: string, patienceMs = 8_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;
    if (!(pid > 1) || !commandLine(pid)?.includes(mark)) break;
    if (Date.now() > deadline) {
      throw new Error(`another run is using ${mark}: its server is process ${pid}. Stop that run where it was started, or choose another state folder (bin/dev --state DIR).`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  rmSync(pidFile, { force: true });
}
