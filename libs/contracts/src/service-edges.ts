import type { Call } from './define-call.js';
import type { Event } from './define-event.js';

/**
 * Every edge of a service in the house: the NATS permissions are generated from this and from nothing else, so an
 * edge that is not declared here does not work.
 */
export interface ServiceEdges {
  /** Name of the service, its NATS user and its inbox prefix `_INBOX_<name>`. */
  readonly service: string;
  readonly serves: readonly Call[];
  readonly calls: readonly Call[];
  readonly emits: readonly Event[];
  readonly hears: readonly Event[];
  /** Core subjects beyond calls and events, with NATS wildcards. */
  readonly publishes?: readonly string[];
  readonly subscribes?: readonly string[];
  /** JetStream object buckets that the service owns. */
  readonly buckets?: readonly string[];
  /** Executors call tools of nobody and hear their own; see `executorEdges`. */
  readonly executor?: true;
}

export const edgesOf = (edges: ServiceEdges): ServiceEdges => edges;
