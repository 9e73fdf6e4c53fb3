import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@skillgate/contracts/audit';
import { mergeAudit } from './merge-audit.js';

const at = (second: string): AuditEntry => ({ cursor: `2026-11-30T12:00:${second}Z_${'0'.repeat(8)}` }) as AuditEntry;
const seconds = (entries: AuditEntry[]) => entries.map(({ cursor }) => cursor.slice(17, 26));

describe('the audit logs of several services', () => {
  it('are one, newest first', () => {
    const { entries, next } = mergeAudit([[at('03.000000'), at('01.000000')], [at('02.000001'), at('02.000000')], []], 10);
    expect(seconds(entries)).toEqual(['03.000000', '02.000001', '02.000000', '01.000000']);
    expect(next).toBeNull();
  });

  it('are read on behind the last entry that was shown, whoever has more', () => {
    const { entries, next } = mergeAudit([[at('09.000000'), at('08.000000')], [at('07.000000')]], 2);
    expect(seconds(entries)).toEqual(['09.000000', '08.000000']);
    expect(next).toBe(entries[1]!.cursor);
  });

  it('may have more where one of them gave as much as it was asked for', () => {
    expect(mergeAudit([[at('09.000000')], []], 1).next).not.toBeNull();
  });
});
