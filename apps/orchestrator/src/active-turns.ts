import { unavailable } from '@skillgate/contracts/refusal';

/** The turns that this instance runs: what a cancellation reaches and a drain waits for. */
export class ActiveTurns {
  private readonly running = new Map<string, { abort: AbortController; done: Promise<void> }>();

  /** Runs on after the caller has gone. `work` never rejects: it ends the turn itself. */
  start(turn: string, work: (abort: AbortController) => Promise<void>): void {
    const abort = new AbortController();
    const done = work(abort).finally(() => this.running.delete(turn));
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

  /** Waits for the running turns; what is left after `leftMs` is ended with a clear error and waited for. */
  async drain(leftMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { abort } of this.running.values()) abort.abort(unavailable('draining', 'This service is being replaced. Send your message again.'));
    }, leftMs * 0.8); // the rest is for writing down how they ended
    await Promise.all([...this.running.values()].map(({ done }) => done));
    clearTimeout(timer);
  }
}
