import { executorLeft } from '@skillgate/contracts/events/registry';
import { unavailable } from '@skillgate/contracts/refusal';
import type { ToolProgress } from '@skillgate/contracts/tool-call';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';
import type { TurnPublisher } from './turn-publisher.js';

interface Working {
  readonly turn: string;
  readonly executor: string;
  /** The name that model and user know, which may not be the executor's. */
  readonly tool?: string;
  readonly publisher: Pick<TurnPublisher, 'progress'>;
}

/** The tool calls that this instance waits for, by call id: what their executors say meanwhile reaches the user. */
export class WorkingCalls {
  private readonly calls = new Map<string, Working & { readonly giveUp: (error: Error) => void }>();

  /** @throws what `work` does, and Unavailable `executor-away` when the executor falls silent before it has answered */
  async during<T>(callId: string, working: Working, work: () => Promise<T>): Promise<T> {
    let giveUp: (error: Error) => void = () => undefined;
    const given = new Promise<never>((_, reject) => (giveUp = reject));
    given.catch(() => undefined); // mostly nobody is left to hear it
    this.calls.set(callId, { ...working, giveUp });
    try {
      return await Promise.race([work(), given]);
    } finally {
      this.calls.delete(callId);
    }
  }

  /** `from` is proven by the broker: an executor speaks into the calls that it works on and no others. */
  heard({ callId, tool, message, fraction }: ToolProgress, from: { executor: string; turnId: string }): void {
    const call = this.calls.get(callId);
    if (call?.turn !== from.turnId || call.executor !== from.executor) return;
    call.publisher.progress({ stage: 'working', tool: call.tool ?? tool, message, ...(fraction !== undefined && { fraction }) });
  }

  /** No instance of it lives any more: nobody is left to answer, however long the tools may take. */
  silent(executor: string): void {
    for (const call of this.calls.values())
      if (call.executor === executor) call.giveUp(unavailable('executor-away', `The executor "${executor}" fell silent while it worked; try again later.`));
  }
}

/** One that said goodbye first ends the calls that it has; for one that fell silent nobody waits. */
export function watchSilence(wire: Pick<Wire, 'watch'>, working: WorkingCalls, log: Pick<Log, 'error'>): void {
  wire
    .watch(executorLeft, ({ executor, why }) => void (why === 'silent' && working.silent(executor)))
    .ready.catch((err: unknown) => log.error({ err }, 'executors that fall silent are not heard of here; calls to them wait for their deadline'));
}
