import type { AuditEntry } from '@skillgate/contracts/audit';

/**
 * The newest `limit` of several logs, each newest first and each asked for `limit` entries. A cursor begins with the time to
 * the microsecond, so that its letters are in the order of time.
 */
export function mergeAudit(lists: readonly AuditEntry[][], limit: number): { entries: AuditEntry[]; next: string | null } {
  const all = lists.flat().sort((a, b) => (a.cursor < b.cursor ? 1 : -1));
  const entries = all.slice(0, limit);
  const more = all.length > limit || lists.some((list) => list.length >= limit);
  return { entries, next: more ? (entries.at(-1)?.cursor ?? null) : null };
}
