/** Headers of a message, beside the body. */
export const headerNames = {
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  /** Milliseconds since the epoch: nobody waits for an answer after this. Clocks must agree to well under a call's deadline. */
  deadline: 'deadline',
  /** Unguessable; whoever knows it may cancel the call, and only caller and callee do. */
  cancelId: 'cancel-id',
  turnId: 'turn-id',
  callId: 'call-id',
  grant: 'grant',
  /** The same for every delivery and replay of an event. */
  eventId: 'event-id',
  /** When an event happened: milliseconds since the epoch. */
  occurredAt: 'occurred-at',
  /** JetStream's own: a stream keeps one message of an id within its duplicate window. */
  messageId: 'Nats-Msg-Id',
  /** JetStream's own: the message is refused when it would land in another stream. */
  expectedStream: 'Nats-Expected-Stream',
} as const;
