import { randomUUID } from 'node:crypto';
import { context, type Context, type Meter, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOffSampler, BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { serviceContextKey } from '@skillgate/wire/service-context';
import { meterRouting, spanRouting } from './instrument.js';
import type { Log } from './log.js';
import { makeMeterProvider } from './meter-provider.js';
import { observeProcess } from './process-metrics.js';
import { RedactingProcessor } from './span-redaction.js';
import { isHeard, tellSpans } from './told.js';
import { watchExporter } from './watched-exporter.js';

export interface Telemetry {
  /** Of this service, whatever context is active. */
  readonly tracer: Tracer;
  readonly meter: Meter;
  /**
   * Runs `work` as this service's: spans of http, pg and `trace.getTracer` in it, and in all that it starts, are its own.
   * A loop or a timer takes ROOT_CONTEXT as `from`, or all it ever does hangs under the span in which it was started.
   */
  inService<T>(work: () => T, from?: Context): T;
  /** Sends the spans that have ended and the metrics as they stand. Never rejects; a failure is in the log. */
  flush(): Promise<void>;
  /** Flushes, then ends. Never rejects. */
  shutdown(): Promise<void>;
}

export interface TelemetryOptions {
  readonly service: string;
  readonly log: Log;
  /** Base address of an OTLP/HTTP receiver; absent: nothing is recorded, but trace ids exist and travel. */
  readonly endpoint?: string;
  /** Whole address for metrics, where they go elsewhere than to `endpoint`. */
  readonly metricsEndpoint?: string;
  /** Takes the spans that name no service. */
  readonly isDefault?: boolean;
}

/** Milliseconds between two exports: whoever waits for a trace to show up notices more. */
const exportEveryMs = 500;
/** Milliseconds for one export; the last one is part of the drain. */
const exportTimeoutMs = 3_000;

export function startTelemetry({ service, log, endpoint, metricsEndpoint, isDefault = false }: TelemetryOptions): Telemetry {
  const routing = spanRouting(log);
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'skillgate',
    'service.instance.id': randomUUID(),
  });
  const spanProcessors = [...(endpoint ? [batches(endpoint, log)] : []), ...(isHeard() ? [new RedactingProcessor(tellSpans(service))] : [])];
  const recording = spanProcessors.length > 0 ? { spanProcessors } : { sampler: new AlwaysOffSampler() };
  const provider = new BasicTracerProvider({ resource, ...recording });
  const leave = routing.add(service, provider, isDefault);
  const metricsUrl = metricsEndpoint ?? (endpoint && under(endpoint, 'metrics'));
  const meters = makeMeterProvider({ resource, log, url: metricsUrl });
  const leaveMeters = meterRouting.add(service, meters);
  const meter = meters.getMeter('skillgate');
  const stopObserving = metricsUrl ? observeProcess(meter) : () => undefined;
  const told = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} of this service were lost`);
  return {
    tracer: provider.getTracer('skillgate'),
    meter,
    inService: (work, from = context.active()) => context.with(from.setValue(serviceContextKey, service), work),
    flush: async () => {
      await Promise.all([provider.forceFlush().catch(told('spans')), meters.forceFlush().catch(told('metrics'))]);
    },
    shutdown: async () => {
      leave();
      leaveMeters();
      await Promise.all([provider.shutdown().catch(told('spans')), meters.shutdown().catch(told('metrics'))]);
      stopObserving();
    },
  };
}

const under = (endpoint: string, signal: 'traces' | 'metrics'): string => `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;

function batches(endpoint: string, log: Log): RedactingProcessor {
  const url = under(endpoint, 'traces');
  const exporter: SpanExporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const limits = { scheduledDelayMillis: exportEveryMs, exportTimeoutMillis: exportTimeoutMs, maxQueueSize: 8_192 };
  return new RedactingProcessor(new BatchSpanProcessor(watchExporter(exporter, endpoint, log), limits));
}
