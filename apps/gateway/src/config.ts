import { milliseconds, signingKeyVariable } from '@skillgate/service-kit/variables';
import { z } from 'zod';

const requestsAMinute = z.string().regex(/^\d{1,9}$/, 'is no whole number of requests').transform(Number);

/** The gateway's own variables. */
export const gatewayConfig = z.object({
  /** Signs the tickets. */
  SKILLGATE_SIGNING_KEY: signingKeyVariable,
  /** A stream that is silent for so long makes the gateway ask the journal. */
  SKILLGATE_STREAM_SILENCE_MS: milliseconds.default(5_000).meta({ example: '5000' }),
  /** With no word from stream or journal for so long, the client is told that the turn was lost. */
  SKILLGATE_STREAM_LOST_MS: milliseconds.default(60_000).meta({ example: '60000' }),
  /** A client that takes nothing of a stream for so long is cut off; it may come back with its last id. */
  SKILLGATE_STREAM_STALL_MS: milliseconds.default(300_000).meta({ example: '300000' }),
  /** Longest turn that a client is kept waiting for. */
  SKILLGATE_TURN_LIMIT_MS: milliseconds.default(900_000).meta({ example: '900000' }),
  /** So long a turn runs on for a client that was cut off and may come back; then it is cancelled. */
  SKILLGATE_CANCEL_GRACE_MS: milliseconds.default(15_000).meta({ example: '15000' }),
  /** Requests that one key, or one user who signs in, may send in a minute at this replica; 0: as many as it likes. */
  SKILLGATE_REQUESTS_A_MINUTE_KEY: requestsAMinute.default(1_200).meta({ example: '1200' }),
  /** The same for all keys and users of an account together. */
  SKILLGATE_REQUESTS_A_MINUTE_ACCOUNT: requestsAMinute.default(6_000).meta({ example: '6000' }),
  /** Where browsers find this house, such as https://skillgate.example; outside systems send them back there. Absent: on this machine alone. */
  SKILLGATE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional().meta({ example: 'https://skillgate.example' }),
});
export type GatewayConfig = z.infer<typeof gatewayConfig>;
