import { randomUUID } from 'node:crypto';
import { context, type Context, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOffSampler, BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { serviceContextKey } from '@skillgate/wire/service-context';
import { spanRouting } from './instrument.js';
import type { Log } from './log.js';
import { RedactingProcessor } from './span-redaction.js';
import { watchExporter } from './watched-exporter.js';

export interface Telemetry {
  /** Of this service, whatever context is active. */
  readonly tracer: Tracer;
  /**
   * Runs `work` as this service's: spans of http, pg and `trace.getTracer` in it, and in all that it starts, are its own.
   * A loop or a timer takes ROOT_CONTEXT as `from`, or all it ever does hangs under the span in which it was started.
   */
  inService<T>(work: () => T, from?: Context): T;
  /** Sends what has ended so far. Never rejects; a failure is in the log. */
  flush(): Promise<void>;
  /** Flushes, then ends. Never rejects. */
  shutdown(): Promise<void>;
}

export interface TelemetryOptions {
  readonly service: string;
  readonly log: Log;
  /** Base address of an OTLP/HTTP receiver; absent: nothing is recorded, but trace ids exist and travel. */
  readonly endpoint?: string;
  /** Takes the spans that name no service. */
  readonly isDefault?: boolean;
}

/** Milliseconds between two exports: whoever waits for a trace to show up notices more. */
const exportEveryMs = 500;
/** Milliseconds for one export; the last one is part of the drain. */
const exportTimeoutMs = 3_000;

export function startTelemetry({ service, log, endpoint, isDefault = false }: TelemetryOptions): Telemetry {
  const routing = spanRouting(log);
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'skillgate',
    'service.instance.id': randomUUID(),
  });
  const recording = endpoint ? { spanProcessors: [batches(endpoint, log)] } : { sampler: new AlwaysOffSampler() };
  const provider = new BasicTracerProvider({ resource, ...recording });
  const leave = routing.add(service, provider, isDefault);
  const told = (error: unknown) => log.warn({ err: error }, 'spans of this service were lost');
  return {
    tracer: provider.getTracer('skillgate'),
    inService: (work, from = context.active()) => context.with(from.setValue(serviceContextKey, service), work),
    flush: () => provider.forceFlush().catch(told),
    shutdown: () => {
      leave();
      return provider.shutdown().catch(told);
    },
  };
}

function batches(endpoint: string, log: Log): RedactingProcessor {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter: SpanExporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const limits = { scheduledDelayMillis: exportEveryMs, exportTimeoutMillis: exportTimeoutMs, maxQueueSize: 8_192 };
  return new RedactingProcessor(new BatchSpanProcessor(watchExporter(exporter, endpoint, log), limits));
}
