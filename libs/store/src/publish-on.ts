import type { Event } from '@skillgate/contracts/define-event';
import { breach } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import type { OutboxRow, PublishRow } from './publish-in-order.js';

/** How a row of the outbox goes into the stream of its service. A subject that is not among `emits` is a breach. */
export function publishOn(wire: Pick<Wire, 'publishStored'>, emits: readonly Event[]): PublishRow {
  const events = new Map(emits.map((event) => [event.subject, event]));
  return ({ id, subject, body, trace, enqueuedAt }: OutboxRow) => {
    const event = events.get(subject);
    if (!event) return Promise.reject(breach('unknown-event', `The event "${subject}" is not among those that this service emits; add it to its edges.`));
    return wire.publishStored(event, body, { id, occurredAt: Math.round(enqueuedAt), headers: trace ?? {} });
  };
}
