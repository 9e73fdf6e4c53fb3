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
} as const;
