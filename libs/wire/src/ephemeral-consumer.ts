import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { unavailable } from '@skillgate/contracts/refusal';
import { type DeliveryFacts, readAckSubject } from './ack-subject.js';
import type { Connection } from './connection.js';
import { apiCodes, askJetStream, unexpected } from './jetstream-api.js';
import type { Requests } from './requests.js';

export interface EphemeralOptions {
  readonly stream: string;
  /** One subject, without wildcards where the permissions name none. */
  readonly filter: string;
  /** A sequence of the stream, or what is in it, or what will be. */
  readonly from: number | 'all' | 'new';
  /** Milliseconds between two signs of life; none unless given. */
  readonly heartbeatMs?: number;
}

export interface Ephemeral {
  /** The last sequence of the stream that this consumer will not deliver. */
  readonly after: number;
  /** Messages that were there when it began. */
  readonly waiting: number;
  close(): void;
}

const nanos = 1_000_000; // in a millisecond
const forgottenMs = 10_000; // the server removes a consumer that nobody has listened to for so long

/**
 * Lets the server push messages to this connection, without acknowledgement and without a trace in the stream.
 *
 * @param onMessage without facts: the server's sign of life
 * @throws Unavailable `stream-missing`, or that JetStream is away
 */
export async function openEphemeral(
  connection: Connection,
  requests: Requests,
  { stream, filter, from, heartbeatMs }: EphemeralOptions,
  onMessage: (message: Msg, facts?: DeliveryFacts) => void,
): Promise<Ephemeral> {
  const name = crypto.randomUUID();
  const deliverTo = `${connection.inbox}.push.${name}`;
  const hearing = connection.hear(deliverTo, (message) => onMessage(message, message.reply ? readAckSubject(message.reply) : undefined));
  const start = typeof from === 'number' ? { deliver_policy: 'by_start_sequence', opt_start_seq: from } : { deliver_policy: from };
  try {
    const { ok, error } = await askJetStream<ConsumerInfo>(requests, `CONSUMER.CREATE.${stream}.${name}.${filter}`, {
      stream_name: stream,
      action: 'create',
      config: {
        name,
        ...start,
        deliver_subject: deliverTo,
        filter_subject: filter,
        ack_policy: 'none',
        replay_policy: 'instant',
        mem_storage: true,
        num_replicas: 1,
        inactive_threshold: forgottenMs * nanos,
        ...(heartbeatMs ? { idle_heartbeat: heartbeatMs * nanos } : {}),
      },
    });
    if (error?.err_code === apiCodes.streamNotFound) throw unavailable('stream-missing', `Stream "${stream}" is missing. Its owner creates it when it starts`);
    if (error) throw unexpected(`Reading "${filter}" of stream "${stream}"`, error);
    // It may have begun to deliver before it answered.
    const { delivered, num_pending } = ok;
    return { after: delivered.stream_seq, waiting: num_pending + delivered.consumer_seq, close: () => hearing.close() };
  } catch (error) {
    hearing.close();
    throw error;
  }
}
