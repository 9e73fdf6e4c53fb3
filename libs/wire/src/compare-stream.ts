import type { StreamConfig } from '@nats-io/jetstream';
import type { Stream } from '@skillgate/contracts/define-stream';

const nanos = 1_000_000; // in a millisecond: JetStream counts durations in nanoseconds

/** What the owner asks the server for. Replicas are the operator's: `nats stream edit --replicas 3` stands. */
export const wantedConfig = (stream: Stream) => ({
  name: stream.name,
  subjects: [...stream.subjects],
  retention: 'limits',
  storage: stream.storage,
  discard: stream.discard,
  max_bytes: stream.maxBytes,
  max_age: stream.maxAgeMs * nanos,
  duplicate_window: stream.duplicateWindowMs * nanos,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  max_consumers: -1,
});

export interface StreamDifferences {
  /** Never touched: what somebody chose otherwise, or room that was given and may be in use. */
  readonly standing: readonly string[];
  /** Limits that are narrower on the server than declared. */
  readonly narrower: readonly string[];
}

/** How a stream on the server differs from its declaration. */
export function compareStream(declared: Stream, server: Partial<StreamConfig>): StreamDifferences {
  const wanted = wantedConfig(declared);
  const standing: string[] = [];
  const narrower: string[] = [];
  const sorted = (subjects: readonly string[] = []) => JSON.stringify([...subjects].sort());
  if (sorted(server.subjects) !== sorted(wanted.subjects)) standing.push(`subjects are ${sorted(server.subjects)} there and ${sorted(wanted.subjects)} here`);
  for (const key of ['retention', 'storage', 'discard'] as const) {
    if (server[key] !== wanted[key]) standing.push(`${key} is "${server[key]}" there and "${wanted[key]}" here`);
  }
  for (const key of ['mirror', 'sources', 'republish', 'subject_transform', 'sealed', 'no_ack'] as const) {
    if (server[key]) standing.push(`${key} is set there and not here`);
  }
  for (const key of ['max_bytes', 'max_age', 'duplicate_window', 'max_msgs', 'max_msgs_per_subject', 'max_msg_size'] as const) {
    const [there, here] = [limit(server[key]), limit(wanted[key])];
    if (there > here) standing.push(`${key} is ${there} there and ${here} here`);
    else if (there < here) narrower.push(key);
  }
  return { standing, narrower };
}

/** The server writes no limit as -1, 0 or nothing. */
const limit = (value: number | undefined): number => (value === undefined || value <= 0 ? Infinity : value);
