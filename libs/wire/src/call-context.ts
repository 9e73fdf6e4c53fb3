import type { Msg } from '@nats-io/transport-node';
import { headerNames } from './header-names.js';

/** What a handler knows of the call beside its input. */
export interface CallContext {
  /** Aborts when the caller cancels, the deadline passes, or this instance stops; its reason is a `HouseError`. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Proven by the broker; present for `perCaller` calls only. */
  readonly caller?: string;
  /** Every header but the grant, which is a credential and has its own field. */
  readonly headers: Readonly<Record<string, string>>;
  readonly callId?: string;
  readonly turnId?: string;
  readonly grant?: string;
}

export type IncomingFacts = Omit<CallContext, 'signal' | 'caller'> & { readonly cancelId: string };

/** Reads the headers of a request. Who sends no deadline gets the contract's; who sends no cancel id cannot cancel. */
export function readHeaders(message: Msg, defaultDeadlineMs: number): IncomingFacts {
  const headers: Record<string, string> = {};
  if (message.headers) for (const [name, values] of message.headers) headers[name] = values[0] ?? '';
  const grant = headers[headerNames.grant];
  delete headers[headerNames.grant];
  const deadline = Number(headers[headerNames.deadline]); // NaN when absent or no number
  return {
    deadline: deadline > 0 ? deadline : Date.now() + defaultDeadlineMs,
    headers,
    callId: headers[headerNames.callId],
    turnId: headers[headerNames.turnId],
    grant,
    cancelId: headers[headerNames.cancelId] ?? message.reply ?? '',
  };
}
