export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };
export type Attributes = Record<string, AttributeValue>;

/** A finished span, out of OTLP's wrapping. Times are milliseconds since the epoch, with microseconds as fraction. */
export interface Span {
  traceId: string;
  spanId: string;
  /** Null for the first span of a trace. */
  parentSpanId: string | null;
  name: string;
  kind: 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** `service.name` of the resource. */
  service: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  events: { name: string; timeMs: number; attributes: Attributes }[];
  links: { traceId: string; spanId: string; attributes: Attributes }[];
  status: { code: 'unset' | 'ok' | 'error'; message?: string };
}
