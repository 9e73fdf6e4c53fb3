import { maxMessageBytes } from '@skillgate/wire/body';

/** Largest result in bytes of JSON: the wire's limit less a kibibyte for the reply's envelope. */
export const maxResultBytes = maxMessageBytes - 1024;

/** What an instance remembers of past calls. */
export const ledgerLimits = {
  calls: 5_000,
  /** Bytes of results together. */
  bytes: 32 * 1024 * 1024,
  /** Milliseconds; longer than the longest tool (10 min) and a takeover of its turn. */
  ageMs: 15 * 60_000,
};
