import type pg from 'pg';
import type { DataSource } from 'typeorm';

export interface PoolMetrics {
  /** Open connections, of `max`. */
  total: number;
  idle: number;
  /** Queries that wait for a connection. Above zero for long: the pool is too small, or something holds a connection. */
  waiting: number;
  max: number;
}

export function poolMetrics(dataSource: DataSource): PoolMetrics {
  const { master } = dataSource.driver as unknown as { master: pg.Pool };
  return { total: master.totalCount, idle: master.idleCount, waiting: master.waitingCount, max: master.options.max };
}
