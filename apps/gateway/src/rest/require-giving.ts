import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { mayGive } from '@skillgate/gating/may';

/** Accounts decides this as well; here the refusal can name the field. Refusal: `role-not-allowed`. */
export function requireGiving(principal: Principal, roles: readonly Role[]): void {
  const given = mayGive(principal, roles);
  if (given !== true) throw refuse(given.slug, given.message, { param: 'roles' });
}
