import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second in /proc, the same on every Linux that Node runs on. */
const ticks = 100;

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

/** Fields by https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; the name before them may hold anything but `) `. */
function statOf(pid: number): Stat | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0); // user, system, and the same of children that ended
    return { pid, parent: Number(fields[1]), ticks: own };
  } catch {
    return null; // it has just ended
  }
}

/** Milliseconds of processor that these processes and all that they started have used so far. Linux alone has it: null elsewhere. */
export function processorMs(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name))).filter((stat) => stat !== null);
  const wanted = new Set(pids);
  // Parents have smaller numbers than their children only by chance: go on until nobody is added.
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return (all.filter(({ pid }) => wanted.has(pid)).reduce((sum, stat) => sum + stat.ticks, 0) * 1_000) / ticks;
}

/** Megabytes in memory of one process, or null where nobody can say. */
export function residentMb(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}
