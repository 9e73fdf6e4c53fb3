import type { TurnMessage } from '@skillgate/contracts/turn-stream';

/** What may wait for one slow client. Beyond it messages are dropped: the reader sees the gap and asks stream and journal. */
export const queueLimits = { messages: 512, bytes: 1024 * 1024 };

export type Taken = TurnMessage | 'silent' | 'closed';

/** Between the subscription, which pushes, and the reader of one turn, who takes when the client is ready for more. */
export class TurnQueue {
  /** Messages that found no room. */
  dropped = 0;
  /** Bytes of what waits, at most; `queueLimits` bounds it, but for the one message that ends the turn. */
  bytes = 0;
  private readonly waiting: TurnMessage[] = [];
  /** The end that found no room: at most one, so that a client who is far behind learns of it without asking. */
  private last: TurnMessage | undefined;
  private closed = false;
  private wake: (() => void) | undefined;

  get size(): number {
    return this.waiting.length;
  }

  push(message: TurnMessage): void {
    if (this.closed) return;
    const weight = weigh(message);
    if (this.waiting.length < queueLimits.messages && this.bytes + weight <= queueLimits.bytes) {
      this.waiting.push(message);
      this.bytes += weight;
    } else if (message.body.type === 'ended') {
      this.last = message;
    } else {
      this.dropped += 1;
      return;
    }
    this.wake?.();
  }

  /** Wakes a waiting `take` for good: the client left, or nobody reads any more. */
  close(): void {
    this.closed = true;
    this.waiting.length = this.bytes = 0;
    this.last = undefined;
    this.wake?.();
  }

  /** The next message; `silent` when none came within `patienceMs`. One taker at a time. */
  async take(patienceMs: number): Promise<Taken> {
    if (!this.waiting[0] && !this.last && !this.closed) await this.pause(patienceMs);
    if (this.closed) return 'closed';
    const next = this.waiting.shift();
    if (next) {
      this.bytes -= weigh(next);
      return next;
    }
    const { last } = this;
    this.last = undefined;
    return last ?? 'silent';
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

const shellBytes = 256; // of the objects around the text

/** Bytes in memory, at most: a string has up to two a character. */
function weigh({ body }: TurnMessage): number {
  const text = body.type === 'delta' ? body.text : body.type === 'ended' ? body.outcome.answer : '';
  const rest = body.type === 'progress' ? body.progress.message : body.type === 'artifact' ? body.artifact.name : '';
  return shellBytes + 2 * (text.length + rest.length);
}
