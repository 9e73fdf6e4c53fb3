import type { KeyValueBucket } from './call-ledger-bucket.js';
import type { Call } from './define-call.js';
import type { Event } from './define-event.js';
import type { Stream } from './define-stream.js';

/**
 * Every edge of a service in the house: the NATS permissions are generated from this and from nothing else, so an
 * edge that is not declared here does not work.
 */
export interface ServiceEdges {
  /** Name of the service, its NATS user and its inbox prefix `_INBOX_<name>`. */
  readonly service: string;
  readonly serves: readonly Call[];
  readonly calls: readonly Call[];
  /** Leave by the outbox into the service's own stream of events. */
  readonly emits: readonly Event[];
  /** One instance of the service works on each, surely: a durable consumer and a handler with `@Hears`. */
  readonly hears: readonly Event[];
  /** Every instance is told, from its start on: for what it holds in memory. */
  readonly watches?: readonly Event[];
  /** Core subjects beyond calls and events, with NATS wildcards. */
  readonly publishes?: readonly string[];
  readonly subscribes?: readonly string[];
  /** Streams that the service owns beside those of its events and dead letters. */
  readonly streams?: readonly Stream[];
  /** Streams of others that it reads from the beginning, without leaving a trace in them. */
  readonly reads?: readonly Stream[];
  /** Streams of others out of which it may take single messages: the operator's hand in dead letters. */
  readonly mends?: readonly Stream[];
  /** JetStream object buckets that the service owns. */
  readonly buckets?: readonly string[];
  /** JetStream buckets of keys and values that the service alone reads and writes, and others make. */
  readonly keyValues?: readonly KeyValueBucket[];
  /** Makes the `keyValues` of all: whoever may create a stream could fill it from others, so those who use a bucket may not. */
  readonly makesKeyValues?: true;
  /** Executors call tools of nobody and hear their own; see `executorEdges`. */
  readonly executor?: true;
}

export const edgesOf = (edges: ServiceEdges): ServiceEdges => edges;
