import type { Meter } from '@opentelemetry/api';
import type { DataSource } from 'typeorm';
import { poolMetrics } from './pool-metrics.js';

/** The pool by OpenTelemetry's conventions for database clients. @returns how to stop */
export function observePool(meter: Meter, pool: string, dataSource: DataSource): () => void {
  const unit = '{connection}';
  const count = meter.createObservableUpDownCounter('db.client.connection.count', { unit, description: 'Connections, used and idle' });
  const max = meter.createObservableUpDownCounter('db.client.connection.max', { unit });
  const pending = meter.createObservableUpDownCounter('db.client.connection.pending_requests', { unit: '{request}', description: 'Queries that wait for a connection' });
  const all = [count, max, pending];
  const look: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    if (!dataSource.isInitialized) return;
    const now = poolMetrics(dataSource);
    const about = { 'db.system.name': 'postgresql', 'db.client.connection.pool.name': pool };
    result.observe(count, now.total - now.idle, { ...about, 'db.client.connection.state': 'used' });
    result.observe(count, now.idle, { ...about, 'db.client.connection.state': 'idle' });
    result.observe(max, now.max, about);
    result.observe(pending, now.waiting, about);
  };
  meter.addBatchObservableCallback(look, all);
  return () => meter.removeBatchObservableCallback(look, all);
}
