import type { Meter, Observable, ObservableResult } from '@opentelemetry/api';
import type { ConsumerStatus } from './delivery.js';
import { consumer } from './wire-meter.js';

/** What is asked for whenever metrics are read. */
export interface WireFacts {
  consumers(): Promise<readonly ConsumerStatus[]>;
  /** In this service's stream of dead letters; undefined when it cannot be told, or when there is no such stream. */
  deadLettersWaiting(): Promise<number | undefined>;
  /** Calls and events that are worked on, and answers that are waited for, in this instance. */
  underWay(): { readonly served: number; readonly made: number };
}

/**
 * How far behind a service is. What is not known now has no value then: a zero would say that all is well.
 *
 * @returns how to stop
 */
export function observeWire(meter: Meter, facts: WireFacts): () => void {
  const events = { unit: '{message}' };
  const pending = meter.createObservableGauge('skillgate.consumer.pending', { ...events, description: 'In the stream and not yet delivered' });
  const ackPending = meter.createObservableGauge('skillgate.consumer.ack_pending', { ...events, description: 'Delivered and neither acknowledged nor given back' });
  const redelivered = meter.createObservableGauge('skillgate.consumer.redelivered', { ...events, description: 'Delivered more than once and not yet acknowledged' });
  const lag = meter.createObservableGauge('skillgate.consumer.lag', { unit: 's', description: 'Age of the oldest event that is still to be worked on' });
  const heard = meter.createObservableGauge('skillgate.consumer.up', { description: '1 while events are heard, 0 while stream, consumer or connection is missing' });
  const waiting = meter.createObservableGauge('skillgate.dead_letters.waiting', { ...events, description: 'Dead letters of this service; bin/skillgate dead-letters shows them' });
  const underWay = meter.createObservableUpDownCounter('skillgate.calls.active', { unit: '{call}', description: 'Served: calls and events in work here. Made: answers that are waited for' });

  return observeAll(meter, [pending, ackPending, redelivered, lag, heard, waiting, underWay], async (result) => {
    const [consumers, letters] = await Promise.all([facts.consumers(), facts.deadLettersWaiting()]);
    for (const each of consumers) {
      const about = { ...consumer(each.durable), 'messaging.destination.name': each.stream };
      result.observe(heard, each.detail === undefined ? 1 : 0, about);
      if (each.unknown) continue;
      result.observe(pending, each.pending, about);
      result.observe(ackPending, each.ackPending, about);
      result.observe(redelivered, each.redelivered, about);
      result.observe(lag, each.lagMs / 1000, about);
    }
    if (letters !== undefined) result.observe(waiting, letters);
    const { served, made } = facts.underWay();
    result.observe(underWay, served, { 'skillgate.direction': 'served' });
    result.observe(underWay, made, { 'skillgate.direction': 'made' });
  });
}

type Batch = { observe(instrument: Observable, value: number, attributes?: Parameters<ObservableResult['observe']>[1]): void };

function observeAll(meter: Meter, instruments: Observable[], look: (result: Batch) => Promise<void>): () => void {
  meter.addBatchObservableCallback(look, instruments);
  return () => meter.removeBatchObservableCallback(look, instruments);
}
