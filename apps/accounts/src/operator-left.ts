import { refuse } from '@skillgate/contracts/refusal';
import type { EntityManager } from 'typeorm';
import type { TokenIssuer } from './token-issuers.js';

/** The configured issuers whose tokens open accounts; an identity of any other issuer opens nothing. */
export type SignIn = { readonly SKILLGATE_OIDC_ISSUERS: readonly Pick<TokenIssuer, 'issuer' | 'accounts'>[] };
export const noSignIn: SignIn = { SKILLGATE_OIDC_ISSUERS: [] };

/**
 * A living user with the role, and a way in: a key that carries the role and lives for another day at least, or a subject of an issuer
 * that is configured now and speaks for this account. A role that nobody can use would be none; one that ends tomorrow would be none then.
 */
const selectOperators = `SELECT 1 FROM users u
  WHERE u.account = $1 AND u.revoked_at IS NULL AND 'operator' = ANY (u.roles) AND (
    EXISTS (SELECT FROM identities i WHERE i.account = u.account AND i."user" = u.id AND i.issuer = ANY ($2))
    OR EXISTS (SELECT FROM api_keys k WHERE k.account = u.account AND k."user" = u.id AND 'operator' = ANY (k.roles)
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at >= now() + interval '1 day')))
  LIMIT 1`;

/** Whether anybody can still run the platform. Inside a transaction that holds the operator account. */
export async function hasOperator(sql: EntityManager, account: string, signIn: SignIn): Promise<boolean> {
  const speaking = signIn.SKILLGATE_OIDC_ISSUERS.filter(({ accounts }) => !accounts || accounts.some((id) => id.toLowerCase() === account));
  const found: unknown[] = await sql.query(selectOperators, [account, speaking.map(({ issuer }) => issuer)]);
  return found.length > 0;
}

/**
 * Refuses `last-operator` where a change, made already in this transaction, leaves nobody who runs the platform. The operator
 * account is held, so that two who take each other's role follow one another.
 */
export async function requireOperatorLeft(sql: EntityManager, account: string, signIn: SignIn): Promise<void> {
  if (await hasOperator(sql, account, signIn)) return;
  throw refuse(
    'last-operator',
    'Nobody else could run this platform; give another user of the operator account the role "operator" first, ' +
      'and a key with it that has no end or lives for a day at least.',
  );
}
