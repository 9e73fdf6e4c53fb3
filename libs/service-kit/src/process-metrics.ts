import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meter, Observable } from '@opentelemetry/api';

/** Milliseconds between two looks at the event loop: a delay below it is no trouble, and a look wakes the process. */
const resolution = 50;
const nanos = 1e9; // in a second

/**
 * The process as each of its services sees it, since the last export; names of OpenTelemetry's conventions for Node.js.
 *
 * @returns how to stop
 */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const gauge = (name: string, unit: string) => meter.createObservableGauge(name, { unit });
  const [p50, p99, max] = ['p50', 'p99', 'max'].map((part) => gauge(`nodejs.eventloop.delay.${part}`, 's')) as [Observable, Observable, Observable];
  const used = gauge('nodejs.eventloop.utilization', '1');
  const resident = meter.createObservableUpDownCounter('process.memory.usage', { unit: 'By' });
  const heap = meter.createObservableUpDownCounter('v8js.memory.heap.used', { unit: 'By' });
  const all = [p50, p99, max, used, resident, heap];
  const look: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    const late = (measured: number) => Math.max(measured / nanos - resolution / 1000, 0) || 0; // NaN before the first look
    result.observe(p50, late(delay.percentile(50)));
    result.observe(p99, late(delay.percentile(99)));
    result.observe(max, late(delay.max));
    delay.reset();
    result.observe(used, performance.eventLoopUtilization(before).utilization);
    before = performance.eventLoopUtilization();
    const { rss, heapUsed } = process.memoryUsage();
    result.observe(resident, rss);
    result.observe(heap, heapUsed);
  };
  meter.addBatchObservableCallback(look, all);
  return () => {
    meter.removeBatchObservableCallback(look, all);
    delay.disable();
  };
}
