import type { MsgHdrs } from '@nats-io/transport-node';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { breach, type HouseError, isHouseError, unavailable } from '@skillgate/contracts/refusal';
import { eventStream } from '@skillgate/contracts/streams';
import { checkBody, encodeBody } from './body.js';
import type { Published, PublishOptions } from './delivery.js';
import { headerNames } from './header-names.js';
import { apiCodes, type ApiError, apiMs, readAnswer, unexpected } from './jetstream-api.js';
import type { WireParts } from './serve-subject.js';
import { endSpan, startEmitting } from './tracer.js';
import { writtenHeaders } from './written-headers.js';

/**
 * Puts an event into its emitter's stream and waits for the stream's word that it is kept.
 *
 * @throws Unavailable `stream-full`, `stream-missing`, `wire-disconnected`, `deadline-passed` (then it may have been kept:
 *   publish again with the same id), or a breach when the payload does not match
 */
export function publishEvent<E extends Event>(parts: WireParts, event: E, payload: EventPayload<E>, options: PublishOptions): Promise<Published> {
  const what = `The event "${event.subject}" of "${parts.connection.service}"`;
  return emit(parts, event, () => encodeBody(checkBody(payload, event.schema, what, 'invalid-event'), what, 'message-too-large'), options);
}

/** The same for a body that was checked when it was stored, see `enqueue`: it goes as it is. @throws as `publishEvent` */
export const publishStored = (parts: WireParts, event: Event, body: string, options: PublishOptions): Promise<Published> =>
  emit(parts, event, () => Buffer.from(body), options);

/** One promise an event and no `await`: an outbox that is emptied comes here by the thousand. */
function emit(parts: WireParts, event: Event, bodyOf: () => Uint8Array, options: PublishOptions): Promise<Published> {
  const { connection, tracer } = parts;
  const { subject } = event;
  const trace: Record<string, string> = {};
  const span = startEmitting(tracer, subject, connection.service, options.headers, trace);
  const ended = (error?: unknown) => endSpan(span, error === undefined || isHouseError(error) ? error : { kind: 'defect', slug: 'internal' });
  try {
    const stream = streamOf(event);
    return keep(parts, stream, subject, bodyOf(), headersOf(subject, stream, options, trace), ended);
  } catch (error) {
    ended(error);
    return Promise.reject(error as Error);
  }
}

const streams = new WeakMap<Event, string>();

function streamOf(event: Event): string {
  const known = streams.get(event);
  if (known) return known;
  const { name } = eventStream(event.owner);
  streams.set(event, name);
  return name;
}

/** Publishes into one named stream, which `headers` must name as well. @param ended hears how it went. @throws as `publishEvent` */
export function keep(
  { requests }: WireParts,
  stream: string,
  subject: string,
  body: Uint8Array,
  headers: MsgHdrs,
  ended: (error?: unknown) => void = () => undefined,
): Promise<Published> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      const told = isHouseError(error) && error.slug === 'no-responder' ? missing(stream, subject) : (error as Error);
      ended(told);
      reject(told);
    };
    requests.tell(subject, body, headers, apiMs, fail, (reply) => {
      try {
        const { ok, error } = readAnswer<Published>(reply);
        if (error) throw notKept(stream, subject, error);
        ended();
        resolve({ stream: ok.stream, seq: ok.seq, duplicate: ok.duplicate ?? false });
      } catch (error) {
        fail(error);
      }
    });
  });
}

const ours: readonly string[] = [
  ...[headerNames.traceparent, headerNames.tracestate, headerNames.expectedStream],
  ...[headerNames.eventId, headerNames.messageId, headerNames.occurredAt],
];

function headersOf(subject: string, stream: string, options: PublishOptions, trace: Readonly<Record<string, string>>): MsgHdrs {
  const { id, messageId = id, occurredAt = Date.now(), headers: given = {} } = options;
  const all: [string, string][] = [];
  for (const name in given) if (!ours.includes(name)) all.push([name, given[name]!]);
  for (const name in trace) all.push([name, trace[name]!]);
  all.push([headerNames.eventId, id], [headerNames.messageId, messageId]);
  all.push([headerNames.occurredAt, String(occurredAt)], [headerNames.expectedStream, stream]);
  try {
    return writtenHeaders(all);
  } catch (cause) {
    throw breach('invalid-header', `"${subject}" was not sent: ${(cause as Error).message}`);
  }
}

const missing = (stream: string, subject: string): HouseError =>
  unavailable('stream-missing', `No stream keeps "${subject}": "${stream}" is missing on the NATS server. Its owner creates it when it starts`);

function notKept(stream: string, subject: string, error: ApiError): HouseError {
  const { err_code, description } = error;
  if (err_code === apiCodes.notStored && /maximum (bytes|messages)/.test(description)) {
    const advice = 'Bring the consumers that are behind up to date and let old events age, or give the stream more room (libs/contracts/src/streams.ts)';
    return unavailable('stream-full', `Stream "${stream}" is full, so "${subject}" was not kept. ${advice}`, fullRetryMs);
  }
  if (err_code === apiCodes.wrongStream) return breach('stream-differs', `"${subject}" is kept by another stream than "${stream}". Remove the stream that should not be there`);
  if (err_code === apiCodes.notStored || err_code === apiCodes.outOfStorage) {
    return unavailable('storage-full', `The NATS server could not store "${subject}": ${description}. Free its disk or its memory`, fullRetryMs);
  }
  return unexpected(`Keeping "${subject}" in stream "${stream}"`, error);
}

const fullRetryMs = 5_000;
