import { createHash } from 'node:crypto';

/**
 * The same id for the same fact, for events that may be enqueued twice: when the word of a commit was lost and the change is
 * made again. A UUID of version 8 (RFC 9562) over the parts; name the event among them.
 */
export function eventIdOf(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80; // version 8
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // the variant of RFC 9562
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
