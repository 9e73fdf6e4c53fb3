import type { TurnMessage } from '@skillgate/contracts/turn-stream';

/** Messages that wait for a slow client. Beyond it deltas are dropped: the reader sees the gap and asks the journal. */
const maxWaiting = 512;

export type Taken = TurnMessage | 'silent' | 'closed';

/** Between the subscription, which pushes, and the reader of one turn, who takes when the client is ready for more. */
export class TurnQueue {
  private readonly waiting: TurnMessage[] = [];
  private closed = false;
  private wake: (() => void) | undefined;

  push(message: TurnMessage): void {
    if (this.waiting.length >= maxWaiting && message.body.type !== 'ended') return;
    this.waiting.push(message);
    this.wake?.();
  }

  /** Wakes a waiting `take` for good: the client left, or nobody reads any more. */
  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** The next message; `silent` when none came within `patienceMs`. One taker at a time. */
  async take(patienceMs: number): Promise<Taken> {
    if (this.waiting.length === 0 && !this.closed) await this.pause(patienceMs);
    if (this.closed) return 'closed';
    return this.waiting.shift() ?? 'silent';
  }

  private pause(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      this.wake = undefined;
    });
  }
}
