import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from './log.js';

/** Says once when spans begin to be lost, and once when they arrive again: the SDK drops them without a word. */
export function watchExporter(exporter: SpanExporter, endpoint: string, log: Log): SpanExporter {
  let lost = 0;

  function watch(spans: number, { code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) {
      if (lost > 0) log.info({ endpoint, lost }, `traces reach ${endpoint} again; ${lost} spans were lost`);
      lost = 0;
      return;
    }
    if (lost === 0) log.warn({ endpoint, err: error }, `traces do not reach ${endpoint}: spans are lost until it answers`);
    lost += spans;
  }

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
