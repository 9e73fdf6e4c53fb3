import { headers as emptyHeaders } from '@nats-io/transport-node';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { breach, type HouseError, isHouseError, unavailable } from '@skillgate/contracts/refusal';
import { eventStream } from '@skillgate/contracts/streams';
import { checkBody, encodeBody } from './body.js';
import type { Published, PublishOptions } from './delivery.js';
import { headerNames } from './header-names.js';
import { apiCodes, type ApiError, apiMs, readAnswer, unexpected } from './jetstream-api.js';
import type { WireParts } from './serve-subject.js';
import { endSpan, startEmitting } from './tracer.js';

/**
 * Puts an event into its emitter's stream and waits for the stream's word that it is kept.
 *
 * @throws Unavailable `stream-full`, `stream-missing`, `wire-disconnected`, `deadline-passed` (then it may have been kept:
 *   publish again with the same id), or a breach when the payload does not match
 */
export async function publishEvent<E extends Event>(parts: WireParts, event: E, payload: EventPayload<E>, options: PublishOptions): Promise<Published> {
  const { connection, tracer } = parts;
  const headers = emptyHeaders();
  const span = startEmitting(tracer, event.subject, connection.service, options.headers, headers);
  try {
    const what = `The event "${event.subject}" of "${connection.service}"`;
    const body = encodeBody(checkBody(payload, event.schema, what, 'invalid-event'), what, 'message-too-large');
    setHeaders(headers, event.subject, options);
    const published = await keep(parts, eventStream(event.owner).name, event.subject, body, headers);
    endSpan(span);
    return published;
  } catch (error) {
    endSpan(span, isHouseError(error) ? error : { kind: 'defect', slug: 'internal' });
    throw error;
  }
}

/** Publishes into one named stream. @throws as `publishEvent` */
export async function keep(
  { requests }: WireParts,
  stream: string,
  subject: string,
  body: Uint8Array,
  headers: ReturnType<typeof emptyHeaders>,
): Promise<Published> {
  headers.set(headerNames.expectedStream, stream);
  const reply = await requests.ask(subject, body, headers, apiMs).catch((error: unknown) => {
    if (isHouseError(error) && error.slug === 'no-responder') throw missing(stream, subject);
    throw error;
  });
  const { ok, error } = readAnswer<Published>(reply);
  if (error) throw notKept(stream, subject, error);
  return { stream: ok.stream, seq: ok.seq, duplicate: ok.duplicate ?? false };
}

const ours: readonly string[] = [headerNames.traceparent, headerNames.tracestate, headerNames.expectedStream];

function setHeaders(headers: ReturnType<typeof emptyHeaders>, subject: string, options: PublishOptions): void {
  const { id, messageId = id, occurredAt = Date.now(), headers: given = {} } = options;
  const all = { ...given, [headerNames.eventId]: id, [headerNames.messageId]: messageId, [headerNames.occurredAt]: String(occurredAt) };
  try {
    for (const [name, value] of Object.entries(all)) if (!ours.includes(name)) headers.set(name, value);
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
