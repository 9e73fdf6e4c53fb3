import type { Attributes } from './span.js';

/** The last value of one row of an instrument, out of OTLP's wrapping. */
export interface Metric {
  readonly name: string;
  /** As in UCUM: `s`, `By`, `{message}`. */
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  /** `service.name` of the resource. */
  readonly service: string;
  /** `service.instance.id`: two replicas of a service have each a row. */
  readonly instance: string;
  readonly attributes: Attributes;
  /** Of a histogram: the sum of what was recorded. */
  readonly value: number;
  /** Of a histogram alone: how often. */
  readonly count?: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
}
