import type { ToolProgress } from '@skillgate/contracts/tool-call';
import type { TurnPublisher } from './turn-publisher.js';

interface Working {
  readonly turn: string;
  readonly executor: string;
  readonly publisher: Pick<TurnPublisher, 'progress'>;
}

/** The tool calls that this instance waits for, by call id: what their executors say meanwhile reaches the user. */
export class WorkingCalls {
  private readonly calls = new Map<string, Working>();

  async during<T>(callId: string, working: Working, work: () => Promise<T>): Promise<T> {
    this.calls.set(callId, working);
    try {
      return await work();
    } finally {
      this.calls.delete(callId);
    }
  }

  /** `from` is proven by the broker: an executor speaks into the calls that it works on and no others. */
  heard({ callId, tool, message, fraction }: ToolProgress, from: { executor: string; turnId: string }): void {
    const call = this.calls.get(callId);
    if (call?.turn !== from.turnId || call.executor !== from.executor) return;
    call.publisher.progress({ stage: 'working', tool, message, ...(fraction !== undefined && { fraction }) });
  }
}
