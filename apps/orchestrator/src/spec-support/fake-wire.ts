import type { Call, CallInput, CallOutput } from '@skillgate/contracts/define-call';
import type { Settlement, ToolResult } from '@skillgate/contracts/tool-call';
import type { Wire } from '@skillgate/wire/wire';

type Answer = (input: never) => unknown;

export interface Sent {
  subject: string;
  input: unknown;
  options: { signal?: AbortSignal; deadlineMs?: number; grant?: string; callId?: string; turnId?: string };
}

/** A wire without a network: answers by what a test says, fails on any other call, and keeps what was asked. */
export class FakeWire {
  readonly sent: Sent[] = [];
  private readonly answers = new Map<string, Answer>([['settle', () => ({ state: 'unknown' })]]);

  on<C extends Call>(contract: C, answer: (input: CallInput<C>) => CallOutput<C> | Promise<CallOutput<C>>): this {
    this.answers.set(contract.subject, answer as Answer);
    return this;
  }

  onTool(tool: string, answer: (input: { arguments: Record<string, unknown> }) => Partial<ToolResult> | Promise<Partial<ToolResult>>): this {
    this.answers.set(tool, answer as Answer);
    return this;
  }

  /** What executors say of calls that may have been sent; that nobody knows, unless a test says otherwise. */
  onSettle(answer: (callId: string) => Settlement | Promise<Settlement>): this {
    this.answers.set('settle', (({ callId }: { callId: string }) => answer(callId)) as Answer);
    return this;
  }

  /** How often that subject or tool was called. */
  count(subject: string): number {
    return this.sent.filter((one) => one.subject === subject).length;
  }

  get wire(): Pick<Wire, 'call' | 'callTool' | 'settleCall'> {
    const ask = async (subject: string, input: unknown, options: Sent['options'] = {}) => {
      this.sent.push({ subject, input, options });
      const answer = this.answers.get(subject);
      if (!answer) throw new Error(`nobody expects ${subject}`);
      return answer(input as never);
    };
    const call = (contract: Call, input: unknown, options?: Sent['options']) => ask(contract.subject, input, options);
    const callTool = async (_: string, tool: string, input: unknown, options: Sent['options']) => ({ artifacts: [], ...((await ask(tool, input, options)) as object) });
    const settleCall = (_: string, input: unknown) => ask('settle', input);
    return { call, callTool, settleCall } as unknown as Pick<Wire, 'call' | 'callTool' | 'settleCall'>;
  }
}
