import { unavailable } from '@skillgate/contracts/refusal';

/** Calls that wait for a free slot, for each slot; more than these are sent away at once. */
const waitingForEachSlot = 4;

/** At most `count` calls run at the same time in this instance; some more wait in line. */
export class Slots {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(private readonly count: number) {
    this.free = count;
  }

  get use(): { readonly running: number; readonly waiting: number; readonly slots: number } {
    return { running: this.count - this.free, waiting: this.line.length, slots: this.count };
  }

  /**
   * Resolves with the function that gives the slot back.
   * @throws `executor-busy` (unavailable) when the line is full; the signal's reason when it fires first
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return this.release();
    }
    if (this.line.length >= this.count * waitingForEachSlot) {
      throw unavailable('executor-busy', 'This executor has too many calls waiting. Try the same call again in a moment.', 500);
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.line.push(enter);
    });
    return this.release();
  }

  private release(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.line.shift();
      if (next) next();
      else this.free += 1;
    };
  }
}
