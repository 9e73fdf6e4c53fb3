/** Messages that JetStream keeps: declared here, created by its owner at start, and never changed behind the owner's back. */
export interface Stream {
  readonly type: 'stream';
  /** Upper case with underscores: a token of the JetStream API's subjects. */
  readonly name: string;
  /** The only service that may create or resize it. */
  readonly owner: string;
  readonly subjects: readonly string[];
  readonly storage: 'file' | 'memory';
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** What a full stream does: refuse the new message, or forget the oldest. */
  readonly discard: 'new' | 'old';
  /** How long a second message with the same id is recognised. An aid: consumers de-duplicate by themselves. */
  readonly duplicateWindowMs: number;
}

const streamName = /^[A-Z][A-Z0-9_]*$/; // safe as one token of a subject
const kept = /^(event|turn|dead)\.v\d+\./; // a stream over calls would answer them with its own acknowledgement

export function defineStream(shape: Omit<Stream, 'type'>): Stream {
  const { name, subjects, maxBytes, maxAgeMs, duplicateWindowMs } = shape;
  const wrong = (what: string): never => {
    throw new Error(`Stream "${name}": ${what}`);
  };
  if (!streamName.test(name)) wrong('write its name in upper case, with digits and underscores');
  if (subjects.length === 0) wrong('name at least one subject');
  for (const subject of subjects) if (!kept.test(subject)) wrong(`"${subject}" may not be kept; only event., turn. and dead. subjects are`);
  if (maxBytes <= 0 || maxAgeMs <= 0) wrong('bound it in bytes and in age');
  if (duplicateWindowMs > maxAgeMs) wrong('its duplicate window is longer than its age'); // the server refuses it too
  return { type: 'stream', ...shape };
}
