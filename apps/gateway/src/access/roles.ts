import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Role } from '@skillgate/contracts/entitlements';

/**
 * Who may use a route. `user`: anybody with a key. `account-admin`: an admin of the account that the path names, or an
 * operator. `operator`: who runs the installation.
 */
export type Access = 'user' | 'account-admin' | 'operator';

type Holder = Pick<Principal, 'roles' | 'account'>;

/** `account` is the one that the request is about, where its path names one. */
export function mayUse(access: Access, holder: Holder, account: string | undefined): boolean {
  if (access === 'user' || holder.roles.includes('operator')) return true;
  return access === 'account-admin' && holder.roles.includes('admin') && holder.account === account;
}

/** Roles that the holder may put on a new API key: nobody gives more than is theirs. */
export function mayGrant(holder: Holder, role: Role): boolean {
  if (holder.roles.includes('operator')) return true;
  return holder.roles.includes('admin') && role !== 'operator';
}
