import type { Log } from './log.js';

/** Ends something. May take `leftMs` milliseconds; what takes longer is left behind and reported. */
export type DrainStep = (leftMs: number) => void | Promise<void>;

export interface Drain {
  /** Steps run in the order opposite to that in which they were added: what started last ends first. */
  add(what: string, step: DrainStep): void;
  /**
   * Runs every step once, whatever the others do, within `budgetMs` milliseconds for all together. Later calls get the
   * first one's promise. Rejects with an AggregateError when a step failed or ran out of time; the log has each of them.
   */
  run(budgetMs: number): Promise<void>;
}

/** Parts of what is left of the budget: a step is told the first and cut off at the second; the rest is for those behind it. */
const told = 0.8;
const cut = 0.9;

export function makeDrain(log: Log): Drain {
  const steps: { what: string; step: DrainStep }[] = [];
  let running: Promise<void> | undefined;

  async function run(budgetMs: number): Promise<void> {
    const began = Date.now();
    const failures: Error[] = [];
    for (const { what, step } of steps.reverse()) {
      const left = Math.max(began + budgetMs - Date.now(), 0);
      const failure = await attempt(what, step, left);
      if (!failure) continue;
      failures.push(failure);
      log.error({ err: failure, part: what }, 'drain: a step did not end well');
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `the drain was not clean: ${failures.map(({ message }) => message).join('; ')}`);
  }

  return {
    add: (what, step) => {
      if (running) throw new Error(`${what} came too late: the drain has begun`);
      steps.push({ what, step });
    },
    run: (budgetMs) => (running ??= run(budgetMs)),
  };
}

async function attempt(what: string, step: DrainStep, leftMs: number): Promise<Error | undefined> {
  const limit = Math.floor(leftMs * cut);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${limit} ms`)), limit);
  });
  try {
    await Promise.race([step(Math.floor(leftMs * told)), late]);
    return undefined;
  } catch (cause) {
    return new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
