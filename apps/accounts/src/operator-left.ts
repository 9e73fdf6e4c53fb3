import { refuse } from '@skillgate/contracts/refusal';
import type { EntityManager } from 'typeorm';

/**
 * A living user with the role, and a way in: a living key that carries the role, or a subject of another issuer. A role that nobody
 * can use would be none.
 */
const selectOperators = `SELECT 1 FROM users u
  WHERE u.account = $1 AND u.revoked_at IS NULL AND 'operator' = ANY (u.roles) AND (
    EXISTS (SELECT FROM identities i WHERE i.account = u.account AND i."user" = u.id)
    OR EXISTS (SELECT FROM api_keys k WHERE k.account = u.account AND k."user" = u.id AND 'operator' = ANY (k.roles)
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())))
  LIMIT 1`;

/** Whether anybody can still run the platform. Inside a transaction that holds the operator account. */
export const hasOperator = async (sql: EntityManager, account: string): Promise<boolean> =>
  ((await sql.query(selectOperators, [account])) as unknown[]).length > 0;

/**
 * Refuses `last-operator` where a change, made already in this transaction, leaves nobody who runs the platform. The operator
 * account is held, so that two who take each other's role follow one another.
 */
export async function requireOperatorLeft(sql: EntityManager, account: string): Promise<void> {
  if (await hasOperator(sql, account)) return;
  throw refuse('last-operator', 'Nobody else could run this platform; give another user of the operator account the role "operator" and a key with it first.');
}
