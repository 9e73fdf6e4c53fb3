import { randomUUID } from 'node:crypto';
import { context, propagation } from '@opentelemetry/api';
import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { checkBody, encodeText } from '@skillgate/wire/body';
import type pg from 'pg';
import { type EntityManager, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** One event on its way into the outbox; made by `outgoing`. */
export interface Outgoing {
  readonly event: Event;
  readonly payload: unknown;
  /** What the event is about: events of one aggregate leave in the order in which they were enqueued. */
  readonly aggregate: string;
  /** For a change that may be made twice, see `eventIdOf`; a new one unless given. */
  readonly id?: string;
}

/** Lets the payload's type follow from the event. */
export const outgoing = <E extends Event>(event: E, payload: EventPayload<E>, aggregate: string, id?: string): Outgoing => ({
  event,
  payload,
  aggregate,
  ...(id && { id }),
});

/** A flag on TypeORM's query runner: its transaction has put something into the outbox. See `OutboxRelay`. */
export const enqueuedMark = 'skillgateEnqueued';

/**
 * Lets an event leave with the transaction of `sql`: both are committed, or neither. It reaches the broker once the relay
 * sees it, in its order within the aggregate: hold what makes the aggregate's changes follow one another (its row, a lock)
 * before you call. The consumer's span is linked to the span that is active now.
 *
 * @returns id of the event
 * @throws a breach `invalid-event` or `message-too-large`, and Error outside of a transaction
 */
export async function enqueue<E extends Event>(
  sql: EntityManager,
  event: E,
  payload: EventPayload<E>,
  { aggregate, id }: { aggregate: string; id?: string },
): Promise<string> {
  const [given] = await enqueueAll(sql, [outgoing(event, payload, aggregate, id)]);
  return given!;
}

/** JSON escapes it, so it stands in no body. Bodies as an array of SQL would have each of their quotes escaped, and parsed again. */
const recordSeparator = '\u001e';

/** With a name, so that PostgreSQL plans it once for each connection; TypeORM has no names, and an event leaves with every change. */
const insert = {
  name: 'skillgate_enqueue',
  text: `INSERT INTO outbox (id, subject, aggregate, body, trace)
    SELECT id, subject, aggregate, body, $5::json
    FROM unnest($1::uuid[], $2::text[], $3::text[], string_to_array($4, chr(30))) WITH ORDINALITY AS e (id, subject, aggregate, body, n) ORDER BY n`,
};

/** The same for several in one statement. @returns their ids, in the order given */
export async function enqueueAll(sql: EntityManager, entries: readonly Outgoing[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const runner = sql.queryRunner;
  if (!runner?.isTransactionActive) {
    throw new Error('enqueue needs the transaction of the change: call it with the manager that inAccount or transaction gave you');
  }
  if (runner.isReleased) throw new QueryRunnerProviderAlreadyReleasedError(); // as TypeORM does once the connection broke
  const ids = entries.map(({ id }) => id ?? randomUUID());
  const connection = (await runner.connect()) as pg.ClientBase;
  await connection.query({
    ...insert,
    values: [
      ids,
      entries.map(({ event }) => event.subject),
      entries.map(({ aggregate }) => aggregate),
      entries.map(({ event, payload }) => bodyOf(event, payload)).join(recordSeparator),
      JSON.stringify(traceHeaders()),
    ],
  });
  runner.data[enqueuedMark] = true;
  return ids;
}

/** Checked here, where the sender can still be told: a row that the broker will never take would wait for ever. */
function bodyOf({ subject, schema }: Event, payload: unknown): string {
  const what = `The event "${subject}"`;
  return encodeText(checkBody(payload, schema, what, 'invalid-event'), what, 'message-too-large');
}

function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
