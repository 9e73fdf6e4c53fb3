import { randomUUID } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import { context, isSpanContextValid, type Span, type Tracer } from '@opentelemetry/api';
import { HouseError, isHouseError } from '@skillgate/contracts/refusal';
import type { z } from 'zod';
import { checkBody, decodeBody, encodeBody } from './body.js';
import { type CallContext, readHeaders } from './call-context.js';
import type { Connection, Hearing } from './connection.js';
import type { Requests } from './requests.js';
import type { RunningCalls } from './running-calls.js';
import { endSpan, startServing } from './tracer.js';
import { tooLate } from './wire-errors.js';
import type { WireMeter } from './wire-meter.js';

export interface Served {
  /** As subscribed: the calls of a `perCaller` contract end in `.*`. */
  readonly subject: string;
  readonly perCaller: boolean;
  readonly deadlineMs: number;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Slugs that the contract names; absent where every slug may come, as from tools. */
  readonly refusals?: readonly string[];
  /** @param subject as published. Its result is checked against `output`. */
  run(input: unknown, context: CallContext, subject: string): Promise<unknown>;
}

/** What a service's calls, served and made, share. */
export interface WireParts {
  readonly connection: Connection;
  readonly tracer: Tracer;
  readonly meter: WireMeter;
  readonly running: RunningCalls;
  readonly requests: Requests;
  redact(text: string): string;
}

/** Answers requests on a subject, shared with the other instances of this service. */
export const serveSubject = (parts: WireParts, served: Served): Hearing =>
  parts.connection.hear(served.subject, (message) => void guarded(parts, served, message), parts.connection.service);

/** Milliseconds that a handler has after the drain's abort to answer by itself. */
export const lastWordMs = 100;

/** Never rejects: a rejection here would end the process. */
const guarded = (parts: WireParts, served: Served, message: Msg): Promise<void> =>
  answer(parts, served, message).catch((err: unknown) => parts.connection.log.error({ err, subject: message.subject }, 'an answer could not be sent'));

/** Whatever goes wrong is answered, and logged where a programmer must know. */
async function answer(parts: WireParts, served: Served, message: Msg): Promise<void> {
  const { connection, running, tracer, meter } = parts;
  const { log, service } = connection;
  const { subject } = message;
  const { epoch } = connection;
  if (!message.reply) {
    log.warn({ subject }, 'a call without a reply subject was dropped: nobody would hear its answer');
    return;
  }
  const { cancelId, ...facts } = readHeaders(message, served.deadlineMs);
  const caller = served.perCaller ? subject.slice(subject.lastIndexOf('.') + 1) : undefined;
  const named = caller === undefined ? subject : subject.slice(0, -caller.length - 1); // one span name for all callers
  const { span, context: spanContext } = startServing(tracer, named, service, message.headers, facts.turnId);
  const began = performance.now();
  let answered = false;
  const reply = (body: Uint8Array, error?: HouseError) => {
    answered = true;
    endSpan(span, error);
    meter.served(named, began, error);
    if (connection.epoch === epoch && connection.connected) message.respond(body);
    else log.warn({ subject }, 'an answer was dropped: the connection on which its request came was lost');
  };
  const fail = (cause: unknown) => {
    if (answered) return;
    const error = explain(cause, served, named, service, span, log);
    reply(encodeBody({ error: error.toWire() }, 'the error', 'reply-too-large'), error);
  };
  const left = facts.deadline - Date.now();
  if (left <= 0) return fail(tooLate(named, -left));
  const call = running.start(cancelId, named, facts.deadline, (reason) => {
    // Only the drain answers in the handler's place: after a cancellation or a deadline nobody waits.
    if (reason.slug === 'draining') setTimeout(fail, lastWordMs, reason);
  });
  try {
    const input = decodeBody(message.data, served.input, `The input of "${named}"`, 'invalid-input');
    const output = await context.with(spanContext, () => served.run(input, { ...facts, caller, signal: call.signal }, subject));
    const what = `The answer of "${service}" on "${named}"`;
    const body = encodeBody({ ok: checkBody(output, served.output, what, 'invalid-output') }, what, 'reply-too-large');
    if (!answered) reply(body);
  } catch (error) {
    const stopped = call.signal.aborted && (error as Error | undefined)?.name === 'AbortError';
    fail(stopped ? call.signal.reason : error);
  } finally {
    call.end();
  }
}

/** What the caller is told. The cause of a defect stays here, in the log, under the id that the caller gets. */
function explain(error: unknown, served: Served, subject: string, service: string, span: Span, log: Connection['log']): HouseError {
  if (!isHouseError(error)) {
    const spanContext = span.spanContext();
    const correlationId = isSpanContextValid(spanContext) ? spanContext.traceId : randomUUID();
    log.error({ err: error, subject, correlationId }, `a handler of "${service}" failed`);
    return new HouseError({ kind: 'defect', slug: 'internal', message: 'internal error', correlationId });
  }
  if (error.kind === 'breach') log.error({ err: error, subject }, `a contract was broken: ${error.message}`);
  if (error.kind === 'refusal' && served.refusals && !served.refusals.includes(error.slug)) {
    log.error({ subject, slug: error.slug }, `breach: "${service}" refused with a slug that the contract of "${subject}" does not name`);
  }
  return error instanceof HouseError ? error : new HouseError(error);
}
