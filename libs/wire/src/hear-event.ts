import { context, type SpanContext } from '@opentelemetry/api';
import type { DeadLetter } from '@skillgate/contracts/dead-letter';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { isHouseError, isUnavailable } from '@skillgate/contracts/refusal';
import { eventStream } from '@skillgate/contracts/streams';
import { decodeBody } from './body.js';
import { buryEvent, readableBody } from './bury-event.js';
import type { Connection, Hearing } from './connection.js';
import { consumerStatus } from './consumer-status.js';
import type { ConsumerStatus, Delivery, HearOptions } from './delivery.js';
import type { Durable } from './durable-consumer.js';
import { durableName } from './durable-name.js';
import { headerNames } from './header-names.js';
import { type Pulled, PullMessages } from './pull-messages.js';
import type { WireParts } from './serve-subject.js';
import { settle } from './settle.js';
import { endSpan, startHearing } from './tracer.js';

export interface DurableHearing extends Hearing {
  status(): Promise<ConsumerStatus>;
}

/** What this instance remembers of a message that comes again. */
interface Before {
  failures: number;
  span: SpanContext;
}

/** One instance of this service works on each event, at least once, until it succeeded or lies in the dead letters. */
export function hearEvent<E extends Event>(
  parts: WireParts,
  event: E,
  onEvent: (payload: EventPayload<E>, delivery: Delivery) => Promise<void>,
  options: HearOptions = {},
): DurableHearing {
  const { connection, requests } = parts;
  const { maxInFlight = 16, ackWaitMs = 30_000, maxDeliver = 5 } = options;
  const durable: Durable = {
    stream: eventStream(event.owner).name,
    durable: durableName(connection.service, event),
    filter: event.subject,
    maxInFlight,
    ackWaitMs,
  };
  const before = new Map<number, Before>();
  const inWork = new Map<number, number>(); // when the stream took it, by its sequence
  let lastStoredAt = Infinity;
  const pulling = new PullMessages(connection, requests, durable, (pulled) => {
    lastStoredAt = pulled.storedAt;
    inWork.set(pulled.streamSeq, pulled.storedAt);
    // From its arrival on, not from its start: it may have to wait here for the event loop.
    const heartbeat = setInterval(() => pulled.working(), ackWaitMs / 3).unref();
    void work(parts, { event, onEvent, maxDeliver, durable, before }, pulled)
      .catch((err: unknown) => {
        connection.log.error({ err, subject: event.subject }, 'an event could not be settled; it comes again');
        pulled.again(unsettledMs);
      })
      .finally(() => {
        clearInterval(heartbeat);
        inWork.delete(pulled.streamSeq);
      });
  });
  return {
    ready: pulling.ready,
    drain: () => pulling.drain(),
    close: () => pulling.close(),
    status: () => consumerStatus(requests, durable, { problem: pulling.problem, oldest: Math.min(...inWork.values(), lastStoredAt) }),
  };
}

const unsettledMs = 5_000; // until a dead letter is tried again that could not be kept
const remembered = 1_000; // what another instance settled stays in memory here

function remember(before: Map<number, Before>, streamSeq: number, what: Before): void {
  before.delete(streamSeq);
  before.set(streamSeq, what);
  for (const oldest of before.keys()) {
    if (before.size <= remembered) break;
    before.delete(oldest);
  }
}

interface Work<E extends Event> {
  readonly event: E;
  readonly onEvent: (payload: EventPayload<E>, delivery: Delivery) => Promise<void>;
  readonly maxDeliver: number;
  readonly durable: Durable;
  readonly before: Map<number, Before>;
}

async function work<E extends Event>(parts: WireParts, { event, onEvent, maxDeliver, durable, before }: Work<E>, pulled: Pulled): Promise<void> {
  const { connection, running, tracer, meter } = parts;
  const { message, attempt, streamSeq } = pulled;
  const { subject } = event;
  const earlier = before.get(streamSeq);
  const { span, context: spanContext } = startHearing(tracer, subject, connection.service, message.headers, {
    durable: durable.durable,
    attempt,
    before: earlier?.span,
  });
  const began = performance.now();
  const call = running.start(crypto.randomUUID(), subject, Infinity);
  const headers = readHeaders(pulled);
  const id = headers[headerNames.eventId] ?? headers[headerNames.messageId] ?? `${durable.stream}:${streamSeq}`;
  try {
    const payload = decodeBody(message.data, event.schema, `The event "${subject}"`, 'invalid-event') as EventPayload<E>;
    const occurredAt = Number(headers[headerNames.occurredAt]) || pulled.storedAt;
    await context.with(spanContext, () => onEvent(payload, { id, attempt, subject: message.subject, occurredAt, headers, signal: call.signal }));
    endSpan(span);
    meter.heard(durable.durable, subject, began);
    before.delete(streamSeq);
    pulled.ack();
  } catch (error) {
    const failure = isHouseError(error) ? error : ({ kind: 'defect', slug: 'internal' } as const);
    endSpan(span, failure);
    meter.heard(durable.durable, subject, began, failure);
    const failures = (earlier?.failures ?? 0) + (isUnavailable(error) ? 0 : 1);
    const settlement = settle({ error, attempt, failures, maxDeliver, stopped: call.signal.aborted });
    if (settlement.act === 'bury') await bury(parts, event, { durable: durable.durable, id, headers, error, reason: settlement.reason }, pulled);
    else giveBack(connection, { subject, durable: durable.durable, id, error, delayMs: settlement.delayMs }, pulled);
    if (settlement.act === 'bury') before.delete(streamSeq);
    else remember(before, streamSeq, { failures, span: span.spanContext() });
  } finally {
    call.end();
  }
}

interface Failed {
  readonly durable: string;
  readonly id: string;
  readonly error: unknown;
}

function giveBack({ log, service }: Connection, failed: Failed & { subject: string; delayMs: number }, pulled: Pulled): void {
  const { error: err, id: eventId, ...facts } = failed;
  const level = isHouseError(err) ? 'warn' : 'error'; // a defect is a programmer's to repair, whatever comes of the event
  log[level]({ err, eventId, attempt: pulled.attempt, ...facts }, `"${service}" could not work on an event; it comes again`);
  pulled.again(failed.delayMs);
}

/** @throws when the dead letter is not kept: then the event is not given up */
async function bury(
  parts: WireParts,
  event: Event,
  { durable, id: eventId, error, headers, reason }: Failed & Pick<DeadLetter, 'headers' | 'reason'>,
  { message, attempt, streamSeq, storedAt, bury: give }: Pulled,
): Promise<void> {
  const { log, service } = parts.connection;
  const told = reason.kind === 'defect' ? { ...reason, message: parts.redact(reason.message) } : reason;
  const about = { eventId, subject: message.subject, consumer: durable, service, attempts: attempt, headers };
  const letter = { ...about, reason: told, payload: readableBody(message.data), at: new Date().toISOString() };
  await buryEvent(parts, event, letter, `${durable}.${streamSeq}.${storedAt}`);
  parts.meter.buried(durable);
  log.error({ err: error, ...about }, `"${service}" gave up on an event; see bin/skillgate dead-letters`);
  give();
}

function readHeaders({ message }: Pulled): Record<string, string> {
  const headers: Record<string, string> = {};
  if (message.headers) for (const [name, values] of message.headers) headers[name] = values[0] ?? '';
  delete headers[headerNames.expectedStream]; // of the emitter's publishing
  return headers;
}
