import type { QueryRunner } from 'typeorm';
import { createDefinerFunction, grantToService } from './policies.js';

/** Days that a processed event is remembered: longer than any stream or dead letter keeps one. */
const rememberDays = 40;

/**
 * The table of events that wait for the broker, for a service's migration. The service may add rows and neither see, change
 * nor delete any; the relay reads and removes them through functions that run as the owner.
 */
export async function createOutbox(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL,
    subject text NOT NULL,
    aggregate text NOT NULL,
    body text NOT NULL,
    trace json,
    enqueued_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  await grantToService(runner, 'outbox', ['INSERT']);

  await createDefinerFunction(runner, 'outbox_next', {
    arguments: 'most int, most_bytes bigint, without text[]',
    returns: {
      seq: 'bigint',
      id: 'uuid',
      subject: 'text',
      aggregate: 'text',
      body: 'text',
      trace: 'json',
      enqueued_at: 'timestamptz',
    },
    // The first row comes however large it is: one that never came would hold up all others.
    body: `RETURN QUERY
      SELECT o.seq, o.id, o.subject, o.aggregate, o.body, o.trace, o.enqueued_at
      FROM (SELECT w.*, sum(octet_length(w.body)) OVER (ORDER BY w.seq) - octet_length(w.body) AS bytes_before
            FROM (SELECT * FROM outbox WHERE outbox.aggregate <> ALL (without) ORDER BY outbox.seq LIMIT most) w) o
      WHERE o.bytes_before < most_bytes ORDER BY o.seq;`,
    stable: true,
  });
  await createDefinerFunction(runner, 'outbox_sent', {
    arguments: 'sent bigint[]',
    returns: {},
    body: 'DELETE FROM outbox WHERE seq = ANY (sent);',
  });
  await createDefinerFunction(runner, 'outbox_state', {
    returns: { waiting: 'int', oldest: 'timestamptz' },
    // Counted so far and no further: a probe must not become load when the queue is long.
    body: `RETURN QUERY SELECT count(*)::int, min(w.enqueued_at) FROM (SELECT enqueued_at FROM outbox ORDER BY seq LIMIT ${countedTo}) w;`,
    stable: true,
  });
}

/** `outbox_state` counts no further; more rows than that are told as this number. */
export const countedTo = 10_000;

export async function dropOutbox(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION outbox_next, outbox_sent, outbox_state');
  await runner.query('DROP TABLE outbox');
}

/** The table behind `onceForEvent`: which consumer has worked on which event. */
export async function createInbox(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE processed_events (
    consumer text NOT NULL,
    event text NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event))`);
  await runner.query('CREATE INDEX processed_at ON processed_events (processed_at)');
  await grantToService(runner, 'processed_events', ['INSERT']);
  await createDefinerFunction(runner, 'forget_processed_events', {
    returns: { forgotten: 'bigint' },
    body: `RETURN QUERY
      WITH gone AS (DELETE FROM processed_events WHERE processed_at < now() - interval '${rememberDays} days' RETURNING 1)
      SELECT count(*) FROM gone;`,
  });
}

export async function dropInbox(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION forget_processed_events');
  await runner.query('DROP TABLE processed_events');
}
