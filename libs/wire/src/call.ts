import { headers as emptyHeaders } from '@nats-io/transport-node';
import { context, type Span } from '@opentelemetry/api';
import { HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { z } from 'zod';
import { checkBody, decodeReply, encodeBody } from './body.js';
import type { Connection } from './connection.js';
import { headerNames } from './header-names.js';
import { turnContextKey } from './service-context.js';
import type { WireParts } from './serve-subject.js';
import { endSpan, startOutgoing } from './tracer.js';

export interface CallOptions {
  /** Milliseconds to wait; the contract's own number unless given. */
  readonly deadlineMs?: number;
  /** Rejects the call at once and tells the callee to stop. Pass a handler's own signal on. */
  readonly signal?: AbortSignal;
  /** `turn-id` is filled from the context when absent; the wire's own headers cannot be set. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Outgoing {
  /** Names the span and the errors. */
  readonly subject: string;
  /** Where it is published: `subject`, or `subject.<caller>` where the broker vouches for the caller. */
  readonly publishTo: string;
  readonly callee: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly deadlineMs: number;
}

/** One request and its checked answer, under a client span. @throws `HouseError` of all four kinds */
export async function request(parts: WireParts, outgoing: Outgoing, input: unknown, options: CallOptions): Promise<unknown> {
  const { connection, tracer, requests, meter } = parts;
  const { subject, callee } = outgoing;
  const headers = emptyHeaders();
  const began = performance.now();
  const span = startOutgoing(tracer, subject, connection.service, headers);
  try {
    addHeaders(headers, subject, options.headers);
    const what = `What "${connection.service}" sends to "${subject}"`;
    const body = encodeBody(checkBody(input, outgoing.input, what, 'invalid-input'), what, 'message-too-large');
    const { deadlineMs = outgoing.deadlineMs, signal } = options;
    const reply = await requests.send({ subject: outgoing.publishTo, callee, body, headers, deadlineMs, signal });
    const output = decodeReply(reply, outgoing.output, callee, subject);
    endSpan(span);
    meter.called(subject, began);
    return output;
  } catch (error) {
    fail(span, error, connection, subject);
    meter.called(subject, began, isHouseError(error) ? error : { kind: 'defect' });
    throw error;
  }
}

const ours: readonly string[] = [headerNames.traceparent, headerNames.tracestate, headerNames.deadline, headerNames.cancelId];

function addHeaders(headers: ReturnType<typeof emptyHeaders>, subject: string, given: CallOptions['headers'] = {}): void {
  try {
    for (const [name, value] of Object.entries(given)) if (!ours.includes(name)) headers.set(name, value);
  } catch (cause) {
    throw new HouseError({ kind: 'breach', slug: 'invalid-header', message: `"${subject}" was not sent: ${(cause as Error).message}` }, { cause });
  }
  const turn = given[headerNames.turnId] ?? context.active().getValue(turnContextKey);
  if (typeof turn === 'string') headers.set(headerNames.turnId, turn);
}

function fail(span: Span, error: unknown, connection: Connection, subject: string): void {
  if (!isHouseError(error)) {
    endSpan(span, { kind: 'defect', slug: 'internal' });
    return;
  }
  endSpan(span, error);
  if (error.kind !== 'breach') return;
  // Too much is what somebody wrote, and no programmer can mend it.
  connection.log[error.slug === 'message-too-large' ? 'warn' : 'error']({ subject, slug: error.slug }, error.message);
}
