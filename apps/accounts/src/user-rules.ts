import type { Actor } from '@skillgate/contracts/audit';
import type { Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { holds, mayGive } from '@skillgate/gating/may';

/** Refuses `role-not-allowed` for roles that the actor may not give or take away. */
export function requireGift(actor: Pick<Actor, 'roles'>, roles: readonly Role[]): void {
  const answer = mayGive(actor, roles);
  if (answer !== true) throw refuse(answer.slug, answer.message);
}

/** Refuses `role-not-allowed` for operators outside of the operator account. */
export function requireRolesOfAccount(roles: readonly Role[], isOperatorAccount: boolean): void {
  if (!roles.includes('operator') || isOperatorAccount) return;
  throw refuse('role-not-allowed', 'The role "operator" is for the operator account; ask for "admin" or "user".');
}

/**
 * Refuses `last-admin` where nobody would be left who administers the account. An operator may do it: an account that is to
 * be closed has no admin in the end.
 *
 * @param others roles of the account's other living users
 * @param after roles of the user afterwards; none when revoked
 */
export function requireAdminLeft(
  actor: Pick<Actor, 'roles'>,
  others: readonly Role[][],
  after: readonly Role[],
  before: readonly Role[],
): void {
  if (!holds(before, 'admin') || holds(after, 'admin') || holds(actor.roles, 'operator')) return;
  if (others.some((roles) => holds(roles, 'admin'))) return;
  throw refuse('last-admin', 'Nobody else administers this account; make another user an admin first.');
}
