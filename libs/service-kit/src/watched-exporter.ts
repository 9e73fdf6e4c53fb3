import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { AggregationTemporality, InstrumentType, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from './log.js';

/** Says once when spans begin to be lost, and once when they arrive again: the SDK drops them without a word. */
export function watchExporter(exporter: SpanExporter, endpoint: string, log: Log): SpanExporter {
  const watch = watcher('traces', 'spans', endpoint, log);
  return {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) =>
      exporter.export(spans, (result) => {
        watch(spans.length, result);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The same for metrics. What is lost of them is the time between: the next export has the sums. */
export function watchMetrics(exporter: PushMetricExporter, endpoint: string, log: Log): PushMetricExporter {
  const watch = watcher('metrics', 'exports', endpoint, log);
  return {
    export: (metrics, done) =>
      exporter.export(metrics, (result) => {
        watch(1, result);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    // A gauge has no temporality. Under "cumulative" the SDK tells the last value for ever of what is not observed any more.
    selectAggregationTemporality: (kind) =>
      kind === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : exporter.selectAggregationTemporality?.(kind) ?? AggregationTemporality.CUMULATIVE,
    shutdown: () => exporter.shutdown(),
  };
}

function watcher(what: string, unit: string, endpoint: string, log: Log): (sent: number, result: ExportResult) => void {
  let lost = 0;
  return (sent, { code, error }) => {
    if (code === ExportResultCode.SUCCESS) {
      if (lost > 0) log.info({ endpoint, lost }, `${what} reach ${endpoint} again; ${lost} ${unit} were lost`);
      lost = 0;
      return;
    }
    if (lost === 0) log.warn({ endpoint, err: error }, `${what} do not reach ${endpoint}: ${unit} are lost until it answers`);
    lost += sent;
  };
}
