import type { DataSource, EntityManager } from 'typeorm';

/**
 * Does `work` unless this consumer has done it for this event, and remembers it in the transaction of `sql`. Delivered
 * again, at the same time too, the event has no second effect.
 *
 * @param consumer as its durable is named: two consumers of a service each work on an event once
 * @param eventId `id` of the delivery
 * @returns whether `work` was done now
 */
export async function onceForEvent(sql: EntityManager, consumer: string, eventId: string, work: () => Promise<unknown>): Promise<boolean> {
  if (!sql.queryRunner?.isTransactionActive) {
    throw new Error('onceForEvent needs the transaction of the effect: call it with the manager that inAccount or transaction gave you');
  }
  const news = (await sql.query('INSERT INTO processed_events (consumer, event) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1', [
    consumer,
    eventId,
  ])) as unknown[];
  if (news.length === 0) return false;
  await work();
  return true;
}

/** Forgets events that no stream and no dead letter can bring back. @returns how many */
export async function forgetProcessedEvents(dataSource: DataSource): Promise<number> {
  const [row] = (await dataSource.query('SELECT forgotten FROM forget_processed_events()')) as { forgotten: string }[];
  return Number(row?.forgotten ?? 0);
}
