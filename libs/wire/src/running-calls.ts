import type { HouseError } from '@skillgate/contracts/refusal';
import { deadlinePassed } from './wire-errors.js';

const longestTimer = 2 ** 31 - 1; // setTimeout takes a signed 32-bit number of milliseconds

export interface RunningCall {
  readonly signal: AbortSignal;
  abort(reason: HouseError): void;
  /** Must be called when the handler has ended and its answer left. */
  end(): void;
}

/** What this instance works on now: cancellations, deadlines and the drain end it. */
export class RunningCalls {
  private readonly running = new Map<string, RunningCall>();
  private waiters: (() => void)[] = [];

  get size(): number {
    return this.running.size;
  }

  /** @param deadline milliseconds since the epoch. @param onAbort hears why, beside the signal */
  start(id: string, subject: string, deadline: number, onAbort?: (reason: HouseError) => void): RunningCall {
    const controller = new AbortController();
    const left = deadline - Date.now();
    const abort = (reason: HouseError) => {
      if (controller.signal.aborted) return;
      controller.abort(reason);
      onAbort?.(reason);
    };
    const timer = setTimeout(() => abort(deadlinePassed(subject, left)), Math.min(left, longestTimer));
    timer.unref();
    const call: RunningCall = {
      signal: controller.signal,
      abort,
      end: () => {
        clearTimeout(timer);
        if (this.running.get(id) === call) this.running.delete(id);
        if (this.running.size === 0) for (const tell of this.waiters.splice(0)) tell();
      },
    };
    this.running.set(id, call);
    return call;
  }

  abort(id: string, reason: HouseError): boolean {
    const call = this.running.get(id);
    call?.abort(reason);
    return call !== undefined;
  }

  abortAll(reason: HouseError): void {
    for (const call of this.running.values()) call.abort(reason);
  }

  /** Resolves with true when nothing runs, with false when something still does after `timeoutMs`. */
  idle(timeoutMs: number): Promise<boolean> {
    if (this.running.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.waiters.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}
