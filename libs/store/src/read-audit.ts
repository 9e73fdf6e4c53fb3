import type { AuditEntry } from '@skillgate/contracts/audit';
import type { DataSource } from 'typeorm';
import { inAccount } from './account-scope.js';
import { auditColumns } from './audit-tables.js';
import { asHouseError } from './database-errors.js';

export interface AuditQuery {
  /** Absent: changes of the platform. Whoever asks has been permitted to see them. */
  readonly account?: string;
  /** `cursor` of the last entry that was read. */
  readonly before?: string;
  readonly limit: number;
  readonly action?: string;
}

type Row = Omit<AuditEntry, 'service' | 'traceId' | 'cursor'> & { trace_id: string | null };

const ofAccount = `SELECT ${auditColumns} FROM audit_log l
  WHERE l.account = $5 AND ($1::timestamptz IS NULL OR (l.at, l.id) < ($1::timestamptz, $2::uuid)) AND ($3::text IS NULL OR l.action = $3)
  ORDER BY l.at DESC, l.id DESC LIMIT $4`;

/** Newest first, the answer of a service's `list-audit` call. */
export async function readAudit(
  dataSource: DataSource,
  service: string,
  { account, before, limit, action }: AuditQuery,
): Promise<{ entries: AuditEntry[] }> {
  const [at, id] = before?.split('_') ?? [null, null];
  const asked = [at, id, action ?? null, limit];
  const rows = account
    ? await inAccount<Row[]>(dataSource, account, (sql) => sql.query(ofAccount, [...asked, account]))
    : await ofPlatform(dataSource, asked);
  return {
    entries: rows.map(({ trace_id: traceId, ...entry }) => ({ ...entry, service, traceId, cursor: `${entry.at}_${entry.id}` })),
  };
}

async function ofPlatform(dataSource: DataSource, asked: unknown[]): Promise<Row[]> {
  try {
    return await dataSource.query('SELECT * FROM audit_of_platform($1, $2, $3, $4)', asked);
  } catch (error) {
    throw asHouseError(error);
  }
}
