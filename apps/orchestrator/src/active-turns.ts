import type { Log } from '@skillgate/service-kit/log';
import { handedOver } from './leave-turn.js';

/** Part of the drain's time that turns get; the rest is for giving away those that did not end. */
const share = 0.8;
/** Milliseconds that giving away takes at least, with a commit for each turn on a machine that is busy. */
const giveAwayMs = 1_000;

/** The turns that this instance runs: what a cancellation reaches and a drain waits for. */
export class ActiveTurns {
  private readonly running = new Map<string, { abort: AbortController; done: Promise<void> }>();

  constructor(private readonly log: Log) {}

  /** Runs on after the caller has gone. `work` ends the turn itself, also when it fails; what it throws is logged. */
  start(turn: string, work: (abort: AbortController) => Promise<void>): void {
    const abort = new AbortController();
    const done = work(abort)
      .catch((error: unknown) => this.log.error({ err: error, turn }, 'a turn broke off'))
      .finally(() => this.running.delete(turn));
    this.running.set(turn, { abort, done });
  }

  cancel(turn: string, reason: Error): boolean {
    const found = this.running.get(turn);
    found?.abort.abort(reason);
    return found !== undefined;
  }

  get size(): number {
    return this.running.size;
  }

  /** Waits for the running turns; what is left after most of `leftMs` is handed over to another instance. @returns how many */
  async drain(leftMs: number): Promise<number> {
    let given = 0;
    const timer = setTimeout(() => {
      given = this.size;
      this.log.info({ turns: given }, 'turns that did not finish in time are handed over');
      for (const { abort } of this.running.values()) abort.abort(handedOver());
    }, Math.max(Math.min(leftMs * share, leftMs - giveAwayMs), 0));
    await Promise.all([...this.running.values()].map(({ done }) => done));
    clearTimeout(timer);
    return given;
  }
}
