import type { ConsumerInfo } from '@nats-io/jetstream';
import type { HouseError } from '@skillgate/contracts/refusal';
import { apiCodes, type ApiError, askJetStream, unexpected } from './jetstream-api.js';
import type { Requests } from './requests.js';

export interface Durable {
  readonly stream: string;
  readonly durable: string;
  /** The one subject that it hears; nats-server 2.9 knows no list. */
  readonly filter: string;
  readonly maxInFlight: number;
  readonly ackWaitMs: number;
}

export type ConsumerState =
  | { readonly info: ConsumerInfo; readonly missing?: undefined }
  | { readonly info?: undefined; /** The emitter has not created its stream yet. */ readonly missing: 'stream' };

const nanos = 1_000_000; // in a millisecond

/** Creates the consumer, or gives it what is wanted now; a new one begins at the beginning of the stream. */
export async function ensureConsumer(requests: Requests, wanted: Durable): Promise<ConsumerState> {
  const { stream, durable, filter, maxInFlight, ackWaitMs } = wanted;
  const found = await lookAtConsumer(requests, wanted);
  if (found.missing) return found;
  const config = {
    durable_name: durable,
    name: durable,
    filter_subject: filter,
    ack_policy: 'explicit',
    ack_wait: ackWaitMs * nanos,
    max_ack_pending: maxInFlight,
    max_deliver: -1, // ours to decide, by the kind of error
    deliver_policy: 'all',
    replay_policy: 'instant',
    max_waiting: 512, // instances with an open pull
  };
  const standing = found.info?.config;
  if (standing && Object.entries(config).every(([key, value]) => standing[key as keyof typeof standing] === value)) return { info: found.info };
  const action = standing ? 'update' : 'create'; // nats-server 2.9 does either by itself, 2.10 wants it said
  const { ok, error } = await askJetStream<ConsumerInfo>(requests, `CONSUMER.CREATE.${stream}.${durable}.${filter}`, {
    stream_name: stream,
    config: { ...standing, ...config },
    action,
  });
  if (ok) return { info: ok };
  if (isStreamMissing(error)) return { missing: 'stream' };
  throw explain(`Consumer "${durable}" of stream "${stream}"`, error);
}

/** @returns `info` undefined and nothing missing where only the consumer is absent */
export async function lookAtConsumer(requests: Requests, { stream, durable }: Durable): Promise<ConsumerState | { info?: undefined; missing?: undefined }> {
  const { ok, error } = await askJetStream<ConsumerInfo>(requests, `CONSUMER.INFO.${stream}.${durable}`, null);
  if (ok) return { info: ok };
  if (isStreamMissing(error)) return { missing: 'stream' };
  if (error.err_code === apiCodes.consumerNotFound) return {};
  throw unexpected(`Looking at consumer "${durable}" of stream "${stream}"`, error);
}

const isStreamMissing = (error: ApiError): boolean => error.err_code === apiCodes.streamNotFound;

function explain(what: string, error: ApiError): HouseError {
  return unexpected(`${what} could not be set up as declared; where its filter or start changed, give it a new durable name. It`, error);
}
