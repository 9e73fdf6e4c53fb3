import type { ConsumerStatus } from './delivery.js';
import { type Durable, lookAtConsumer } from './durable-consumer.js';
import type { Requests } from './requests.js';

export interface KnownHere {
  /** Why nothing is heard now. */
  readonly problem?: string;
  /** When the stream took the oldest event in work here, else the last one that came: milliseconds since the epoch, or Infinity. */
  readonly oldest: number;
}

/** Asks the server how far a consumer is. Never throws: what is not known is not there, with its reason. */
export async function consumerStatus(requests: Requests, consumer: Durable, { problem, oldest }: KnownHere): Promise<ConsumerStatus> {
  const { durable, stream } = consumer;
  const unknown = (detail: string): ConsumerStatus => ({ durable, stream, pending: 0, ackPending: 0, redelivered: 0, lagMs: 0, detail, unknown: true });
  try {
    const { info, missing } = await lookAtConsumer(requests, consumer);
    if (!info) return unknown(problem ?? (missing ? `stream "${stream}" is missing` : 'the consumer is missing'));
    const { num_pending: pending, num_ack_pending: ackPending, num_redelivered: redelivered } = info;
    const behind = pending > 0 || ackPending > 0;
    const last = Date.parse(String(info.delivered.last_active)); // NaN before the first delivery; the server writes ISO 8601, whatever the type says
    const since = Number.isFinite(oldest) ? oldest : last || Date.parse(info.created);
    return {
      durable,
      stream,
      pending,
      ackPending,
      redelivered,
      ...(last ? { lastDeliveredAt: last } : {}),
      lagMs: behind ? Math.max(Date.now() - since, 0) : 0,
      ...(problem ? { detail: problem } : {}),
    };
  } catch (error) {
    return unknown(problem ?? (error as Error).message);
  }
}
