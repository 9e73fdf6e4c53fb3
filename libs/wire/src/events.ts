import { headers as emptyHeaders } from '@nats-io/transport-node';
import { context } from '@opentelemetry/api';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { HouseError, isHouseError } from '@skillgate/contracts/refusal';
import { checkBody, decodeBody, encodeBody } from './body.js';
import type { Hearing } from './connection.js';
import type { WireParts } from './serve-subject.js';
import { endSpan, startHearing, startOutgoing } from './tracer.js';

/**
 * Publishes an event at most once: whoever does not listen now misses it. This function and `hearEvent` are all that
 * changes when events move to JetStream.
 *
 * @throws Unavailable `wire-disconnected`, or a breach when the payload does not match
 */
export async function emitEvent<E extends Event>({ connection, tracer }: WireParts, event: E, payload: EventPayload<E>): Promise<void> {
  const headers = emptyHeaders();
  const span = startOutgoing(tracer, 'emit', event.subject, connection.service, headers);
  try {
    const what = `The event "${event.subject}" of "${connection.service}"`;
    connection.publish(event.subject, encodeBody(checkBody(payload, event.schema, what, 'invalid-event'), what, 'message-too-large'), headers);
    endSpan(span);
  } catch (error) {
    endSpan(span, isHouseError(error) ? error : { kind: 'defect', slug: 'internal' });
    throw error;
  }
}

/** One instance of this service hears each event. An event that breaks its contract is logged and dropped. */
export function hearEvent<E extends Event>(parts: WireParts, event: E, onEvent: (payload: EventPayload<E>) => Promise<void>): Hearing {
  const { connection, running, tracer } = parts;
  const { log, service } = connection;
  const hear = async (data: Uint8Array, headers: ReturnType<typeof emptyHeaders> | undefined): Promise<void> => {
    const { span, context: spanContext } = startHearing(tracer, event.subject, service, headers);
    const call = running.start(crypto.randomUUID(), event.subject, Infinity);
    try {
      const payload = decodeBody(data, event.schema, `The event "${event.subject}"`, 'invalid-event') as EventPayload<E>;
      await context.with(spanContext, () => onEvent(payload));
      endSpan(span);
    } catch (error) {
      const told = isHouseError(error) ? error : new HouseError({ kind: 'defect', slug: 'internal', message: 'internal error' });
      endSpan(span, told);
      log.error({ err: error, subject: event.subject }, `"${service}" could not work on an event, which is lost`);
    } finally {
      call.end();
    }
  };
  return connection.hear(event.subject, ({ data, headers }) => void hear(data, headers), service);
}
