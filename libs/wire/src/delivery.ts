/** One delivery of an event to one handler: beside the payload, what it needs to do its work once in effect. */
export interface Delivery {
  /** The same for every delivery and replay of an event: de-duplicate by it. */
  readonly id: string;
  /** 1 for the first delivery of this message to this service. */
  readonly attempt: number;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when this instance stops; the event is delivered again. */
  readonly signal: AbortSignal;
}

/** What `watch` and `readEvents` tell beside the payload. */
export type Recalled = Pick<Delivery, 'id' | 'occurredAt'>;

export interface HearOptions {
  /** Events in work at once over all instances of the service; 16 unless given. 1 keeps their order, redeliveries included. */
  readonly maxInFlight?: number;
  /** Milliseconds after which the server delivers again what nobody works on; 30,000 unless given. Work may take longer. */
  readonly ackWaitMs?: number;
  /** Deliveries after which an event whose handler fails becomes a dead letter; 5 unless given. Unavailable does not count. */
  readonly maxDeliver?: number;
}

export interface PublishOptions {
  /** Id of the event, for good. */
  readonly id: string;
  /** Id of this message in the stream's duplicate window; `id` unless given. A replay has one of its own. */
  readonly messageId?: string;
  /** Milliseconds since the epoch; now unless given. */
  readonly occurredAt?: number;
  /** A `traceparent` among them becomes the parent of the emitting span. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Published {
  readonly stream: string;
  readonly seq: number;
  /** The stream had a message of this id within its window and kept that one. */
  readonly duplicate: boolean;
}

/** How far a service is behind in what it hears. */
export interface ConsumerStatus {
  readonly durable: string;
  readonly stream: string;
  /** In the stream and not yet delivered. */
  readonly pending: number;
  /** Delivered and neither acknowledged nor given back. */
  readonly ackPending: number;
  readonly redelivered: number;
  /** Milliseconds since the epoch; absent before the first. */
  readonly lastDeliveredAt?: number;
  /** Age of the oldest event that is still to be worked on, as far as known; 0 when there is none. */
  readonly lagMs: number;
  /** Why nothing is heard now: the emitter's stream is missing, the wire is down. */
  readonly detail?: string;
  /** The server could not be asked, or knows no such consumer: the numbers mean nothing. */
  readonly unknown?: true;
}
