import type { DataSource } from 'typeorm';
import type { HeldAggregate } from './held-aggregates.js';
import { countedTo } from './outbox-tables.js';

/** Numbers for health and metrics. */
export interface OutboxState {
  /** Rows that wait in the service's outbox, whoever enqueued them; counted up to 10,000. */
  readonly waiting: number;
  /** Milliseconds that the oldest of them has waited; 0 when there is none. */
  readonly oldestMs: number;
  /** Published by this replica since its start. */
  readonly sent: number;
  /** Aggregates that wait for a bad event of theirs. */
  readonly held: readonly HeldAggregate[];
  /** Why nothing leaves now. */
  readonly lastError?: string;
}

/** The part of it that the database knows. */
export async function outboxState(dataSource: DataSource): Promise<Pick<OutboxState, 'waiting' | 'oldestMs'>> {
  const [row] = (await dataSource.query(
    'SELECT waiting, extract(epoch FROM clock_timestamp() - oldest) * 1000 AS age FROM outbox_state()',
  )) as {
    waiting: number;
    age: string | null;
  }[];
  return { waiting: row?.waiting ?? 0, oldestMs: Math.max(0, Math.round(Number(row?.age ?? 0))) };
}

/** One line for people; empty when there is nothing to say. */
export function describeOutbox({ waiting, oldestMs, held, lastError }: OutboxState): string | undefined {
  if (waiting === 0) return undefined;
  const count = waiting >= countedTo ? `${countedTo} or more events wait` : `${waiting} ${waiting === 1 ? 'event waits' : 'events wait'}`;
  const bad = held.map(({ subject, event, reason }) => `${subject} ${event} cannot be published: ${reason}`);
  return [`${count}, the oldest for ${Math.round(oldestMs / 1000)} s`, ...(lastError ? [lastError] : []), ...bad.slice(0, 3)].join('; ');
}
