/** A JetStream bucket of keys and values on disk, one value a key. Full: new keys are refused, so that nothing is forgotten early. */
export interface KeyValueBucket {
  readonly name: string;
  /** Milliseconds that a value is kept after it was last written. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly maxValueBytes: number;
}

/**
 * What an executor's instances know together of its calls with effects. It outlives every takeover of a turn: a turn takes at
 * most 14 minutes. The largest value is a message's 256 KiB with what the ledger writes beside the result.
 */
export const callLedgerBucket = (executor: string): KeyValueBucket => ({
  name: `calls_${executor}`,
  maxAgeMs: 30 * 60_000,
  maxBytes: 128 * 1024 * 1024,
  maxValueBytes: 260 * 1024,
});
