import type { Metric } from './metric.js';
import type { AttributeValue, Attributes, Span } from './span.js';

// Shapes of OTLP/JSON, as far as they are read: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
interface AnyValue {
  stringValue?: string;
  intValue?: string | number; // 64-bit, so a string in JSON
  doubleValue?: number;
  boolValue?: boolean;
  bytesValue?: string;
  arrayValue?: { values?: AnyValue[] };
  kvlistValue?: { values?: KeyValue[] };
}
interface KeyValue {
  key: string;
  value?: AnyValue;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind?: number;
  startTimeUnixNano: string | number;
  endTimeUnixNano: string | number;
  attributes?: KeyValue[];
  events?: { name: string; timeUnixNano: string | number; attributes?: KeyValue[] }[];
  links?: { traceId: string; spanId: string; attributes?: KeyValue[] }[];
  status?: { code?: number; message?: string };
}
export interface OtlpTraces {
  resourceSpans?: { resource?: { attributes?: KeyValue[] }; scopeSpans?: { spans?: OtlpSpan[] }[] }[];
}

interface OtlpPoint {
  attributes?: KeyValue[];
  timeUnixNano: string | number;
  asInt?: string | number;
  asDouble?: number;
  count?: string | number;
  sum?: number;
}
interface OtlpMetric {
  name: string;
  unit?: string;
  gauge?: { dataPoints?: OtlpPoint[] };
  sum?: { dataPoints?: OtlpPoint[] };
  histogram?: { dataPoints?: OtlpPoint[] };
}
export interface OtlpMetrics {
  resourceMetrics?: { resource?: { attributes?: KeyValue[] }; scopeMetrics?: { metrics?: OtlpMetric[] }[] }[];
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const codes = ['unset', 'ok', 'error'] as const;

/** Nanoseconds do not fit a number; milliseconds with three digits of fraction do. */
const millis = (nanos: string | number): number => Number(BigInt(nanos) / 1_000n) / 1_000;

function valueOf(value: AnyValue = {}): AttributeValue {
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(valueOf);
  if (value.kvlistValue) return attributesOf(value.kvlistValue.values);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? value.bytesValue ?? null;
}

const attributesOf = (pairs: KeyValue[] = []): Attributes => Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));

/** Spans of one export request. @throws for a body that is no such request */
export function readOtlp(body: OtlpTraces): Span[] {
  return (body.resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(attributesOf(resource?.attributes)['service.name'] ?? 'unknown_service');
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => readSpan(span, service)));
  });
}

const readSpan = (span: OtlpSpan, service: string): Span => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || null, // '' also means none
  name: span.name,
  kind: kinds[span.kind ?? 0] ?? 'unspecified',
  service,
  startMs: millis(span.startTimeUnixNano),
  endMs: millis(span.endTimeUnixNano),
  attributes: attributesOf(span.attributes),
  events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
    name,
    timeMs: millis(timeUnixNano),
    attributes: attributesOf(attributes),
  })),
  links: (span.links ?? []).map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes: attributesOf(attributes) })),
  status: { code: codes[span.status?.code ?? 0] ?? 'unset', ...(span.status?.message ? { message: span.status.message } : {}) },
});

/** Rows of one export request for metrics. @throws for a body that is no such request */
export function readOtlpMetrics(body: OtlpMetrics): Metric[] {
  return (body.resourceMetrics ?? []).flatMap(({ resource, scopeMetrics = [] }) => {
    const about = attributesOf(resource?.attributes);
    const from = { service: String(about['service.name'] ?? 'unknown_service'), instance: String(about['service.instance.id'] ?? '') };
    return scopeMetrics.flatMap(({ metrics = [] }) => metrics.flatMap((metric) => readMetric(metric, from)));
  });
}

const readMetric = (metric: OtlpMetric, from: Pick<Metric, 'service' | 'instance'>): Metric[] =>
  (['gauge', 'sum', 'histogram'] as const).flatMap((kind) =>
    (metric[kind]?.dataPoints ?? []).map((point) => ({
      name: metric.name,
      unit: metric.unit ?? '',
      kind,
      ...from,
      attributes: attributesOf(point.attributes),
      value: Number(point.asInt ?? point.asDouble ?? point.sum ?? 0),
      ...(kind === 'histogram' ? { count: Number(point.count ?? 0) } : {}),
      timeMs: millis(point.timeUnixNano),
    })),
  );
