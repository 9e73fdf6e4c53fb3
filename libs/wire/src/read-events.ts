import type { Msg } from '@nats-io/transport-node';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { eventStream } from '@skillgate/contracts/streams';
import type { DeliveryFacts } from './ack-subject.js';
import { decodeBody } from './body.js';
import type { Recalled } from './delivery.js';
import { headerNames } from './header-names.js';
import { readStream } from './read-stream.js';
import type { WireParts } from './serve-subject.js';

const batch = 500; // events in memory at once

/**
 * Reads every event that the stream still has, in order, once: to build anew what was built from them. An event that
 * breaks its contract is logged and left out.
 *
 * @returns how many were read. @throws Unavailable when the stream is missing, and whatever `onEvent` throws
 */
export async function readEvents<E extends Event>(
  parts: WireParts,
  event: E,
  onEvent: (payload: EventPayload<E>, about: Recalled) => Promise<void>,
): Promise<number> {
  const stream = eventStream(event.owner).name;
  let from: number | 'all' = 'all';
  for (let count = 0; ; ) {
    const { read, complete } = await readStream(parts, { stream, filter: event.subject, from, limit: batch });
    for (const { message, facts } of read) {
      from = facts.streamSeq + 1;
      const recalled = recall(parts, event, message, facts);
      if (!recalled) continue;
      await onEvent(recalled.payload, recalled.about);
      count += 1;
    }
    if (complete) return count;
  }
}

/** @returns nothing, and a word in the log, for an event that breaks its contract */
export function recall<E extends Event>(
  { connection }: WireParts,
  event: E,
  { data, headers }: Msg,
  { storedAt, streamSeq }: DeliveryFacts,
): { payload: EventPayload<E>; about: Recalled } | undefined {
  const { subject } = event;
  try {
    const payload = decodeBody(data, event.schema, `The event "${subject}"`, 'invalid-event') as EventPayload<E>;
    const id = headers?.get(headerNames.eventId) || `${eventStream(event.owner).name}:${streamSeq}`;
    return { payload, about: { id, occurredAt: Number(headers?.get(headerNames.occurredAt)) || storedAt } };
  } catch (err) {
    connection.log.error({ err, subject }, 'an event that breaks its contract was left out');
    return undefined;
  }
}
