/** What JetStream says of a delivery in its reply subject. */
export interface DeliveryFacts {
  /** 1 for the first delivery. */
  readonly attempt: number;
  readonly streamSeq: number;
  /** Counts the deliveries of this consumer: a hole means that one was lost. */
  readonly consumerSeq: number;
  /** Milliseconds since the epoch: when the stream took the message. */
  readonly storedAt: number;
  /** How many of the consumer's messages were waiting behind this one. */
  readonly pending: number;
}

/**
 * Reads `$JS.ACK.<stream>.<consumer>.<attempt>.<stream seq>.<consumer seq>.<nanoseconds>.<pending>`; newer servers put
 * `<domain>.<account hash>` before the stream and may add tokens at the end.
 */
export function readAckSubject(subject: string): DeliveryFacts | undefined {
  const tokens = subject.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return undefined;
  const at = tokens.length === 9 ? 4 : 6;
  const [attempt = 0, streamSeq = 0, consumerSeq = 0, nanos = 0, pending = 0] = tokens.slice(at, at + 5).map(Number);
  return { attempt, streamSeq, consumerSeq, storedAt: Math.floor(nanos / 1_000_000), pending };
}
