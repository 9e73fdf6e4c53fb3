import type { Meter } from '@opentelemetry/api';
import type { OutboxState } from './outbox-state.js';

/** The outbox in numbers, whenever metrics are read; nothing while the database is away. @returns how to stop */
export function observeOutbox(meter: Meter, state: () => Promise<OutboxState>): () => void {
  const unit = '{event}';
  const waiting = meter.createObservableGauge('skillgate.outbox.waiting', { unit, description: 'Events that wait for the broker, of all replicas; counted up to 10,000' });
  const oldest = meter.createObservableGauge('skillgate.outbox.oldest_age', { unit: 's', description: 'How long the oldest of them has waited' });
  const held = meter.createObservableGauge('skillgate.outbox.held', { unit: '{aggregate}', description: 'Aggregates that wait for an event which the broker does not take' });
  const sent = meter.createObservableCounter('skillgate.outbox.sent', { unit, description: 'Events that this replica brought to the broker' });
  const all = [waiting, oldest, held, sent];
  const look: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    const now = await state().catch(() => undefined);
    if (!now) return;
    result.observe(waiting, now.waiting);
    result.observe(oldest, now.oldestMs / 1000);
    result.observe(held, now.held.length);
    result.observe(sent, now.sent);
  };
  meter.addBatchObservableCallback(look, all);
  return () => meter.removeBatchObservableCallback(look, all);
}
