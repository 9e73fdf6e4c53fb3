import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Log } from './log.js';
import { watchMetrics } from './watched-exporter.js';

export interface MeterProviderOptions {
  readonly resource: Resource;
  readonly log: Log;
  /** Address of the receiver with its path; absent: nothing is counted, nor asked of NATS and PostgreSQL. */
  readonly url?: string;
}

/** Milliseconds between two exports: each asks NATS and PostgreSQL some questions. */
const exportEveryMs = 10_000;
/** Milliseconds for the questions, and again for the export; the last one is part of the drain. */
const exportTimeoutMs = 3_000;
/** Rows of one instrument, after which the rest is counted together: far above what our names can make. */
const mostRows = 500;

/** A service's own: metrics of several services in one process stay apart by their resource. */
export function makeMeterProvider({ resource, log, url }: MeterProviderOptions): MeterProvider {
  if (!url) return new MeterProvider({ resource });
  const exporter = watchMetrics(new OTLPMetricExporter({ url, timeoutMillis: exportTimeoutMs }), url, log);
  const limits = { exportIntervalMillis: exportEveryMs, exportTimeoutMillis: exportTimeoutMs, cardinalityLimits: { default: mostRows } };
  return new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter, ...limits })] });
}
