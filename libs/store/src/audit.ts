import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import type { EntityManager } from 'typeorm';

/** One change, as its transaction writes it down. */
export interface Change {
  /** Null: a change of the platform. */
  readonly account: string | null;
  readonly actor: Actor;
  /** As the call that makes it is named: `set-tier`. A new one joins the list of contracts, or nobody could ask for it. */
  readonly action: AuditAction;
  readonly target: string;
  /** What stood before and stands after; never a secret, also not as a hash or encrypted. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Names of fields that hold secrets. An audit log is read by many and kept for long, so it takes none of them. */
const secretName = /^(secret|password|hash|key|api_?key|token|(access|refresh|id)_?token|client_?secret|cipher_?text|credential)$/i;

/**
 * Writes a change down in the transaction of `sql`: both are committed, or neither.
 *
 * @throws Error outside of a transaction, and for a `before` or `after` with a field that is named like a secret
 */
export async function recordAudit(sql: EntityManager, change: Change): Promise<void> {
  if (!sql.queryRunner?.isTransactionActive) {
    throw new Error('recordAudit needs the transaction of the change: call it with the manager that inAccount or transaction gave you');
  }
  const { account, actor, action, target, before = null, after = null } = change;
  for (const side of [before, after]) refuseSecrets(side, action);
  const traceId = trace.getActiveSpan()?.spanContext().traceId ?? null;
  await sql.query(
    'INSERT INTO audit_log (id, account, actor, action, target, before, after, trace_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [randomUUID(), account, JSON.stringify(actor), action, target, json(before), json(after), traceId],
  );
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function refuseSecrets(value: unknown, action: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) {
    if (secretName.test(name)) throw new Error(`the audit entry of ${action} has a field "${name}"; leave secrets out of it`);
    refuseSecrets(inside, action);
  }
}
