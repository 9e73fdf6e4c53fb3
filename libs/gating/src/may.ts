import type { Role } from '@skillgate/contracts/entitlements';

/** Who wants to do something, as a ticket or a principal says it. */
export interface Doer {
  readonly account: string;
  readonly user: string;
  readonly roles: readonly Role[];
}

/** What it is done to, as far as it is of an account or of one of its users. */
export interface Target {
  readonly account?: string;
  readonly user?: string;
}

export interface Denial {
  readonly slug: string;
  readonly message: string;
}

type Need =
  /** Anybody, in the own account. */
  | 'user'
  /** The user whose it is, and nobody else. */
  | 'own'
  /** An admin of the account; operators in any. */
  | 'admin'
  /** The same, and the user whose it is. */
  | 'admin-or-own'
  /** Who runs the platform. */
  | 'operator';

/** Each thing that somebody may do or not. Changes are named as the calls that make them. */
const needs = {
  /** Chats, turns, files and usage of the user who asks. */
  'use-own': 'own',
  'read-own-account': 'user',
  'list-integrations': 'user',
  'list-personas': 'user',
  /** States of skills in a chat of the user who asks. */
  'set-chat-skills': 'own',
  'get-chat-skills': 'own',
  'rename-chat': 'own',
  'delete-chat': 'own',

  /** Skills of the account's own; the account also needs the capability `skill-authoring`. */
  'save-account-skill': 'own',
  'validate-skills': 'own',
  'submit-account-skill': 'own',
  'list-account-skills': 'user',

  'read-account': 'admin',
  'review-account-skill': 'admin',
  'retire-account-skill': 'admin',
  'set-account-update-policy': 'admin',
  'set-skill-state': 'admin',
  'set-skill-states': 'admin',
  'set-admin-lock': 'admin',
  'create-persona': 'admin',
  'update-persona': 'admin',
  'retire-persona': 'admin',
  'tighten-profile-policy': 'admin',
  'begin-connection': 'admin',
  'connect-with-secret': 'admin',
  'disconnect-integration': 'admin',
  'create-user': 'admin',
  'list-users': 'admin',
  'update-user': 'admin',
  'revoke-user': 'admin',
  'create-api-key': 'admin',
  'list-api-keys': 'admin-or-own',
  'revoke-api-key': 'admin-or-own',
  /** Turns of other users of the account: routes, status. */
  'read-turns': 'admin-or-own',
  'read-usage': 'admin',
  'read-audit': 'admin',

  'create-account': 'operator',
  'list-accounts': 'operator',
  'list-tiers': 'operator',
  'put-tier': 'operator',
  'delete-tier': 'operator',
  'set-tier': 'operator',
  'set-capabilities': 'operator',
  'set-limits': 'operator',
  /** A mark without a credential opens skills and tools, so it is no setting of an account; `disconnect-integration` is. */
  'set-integration': 'operator',
  'set-operator-lock': 'operator',
  'list-manifests': 'operator',
  'approve-manifest': 'operator',
  'set-profile-policy': 'operator',
  /** One tool in an account, outside of any chat. */
  'call-tool': 'operator',
  'list-skills': 'operator',
  'publish-skills': 'operator',
  'retire-skill': 'operator',
  'make-current': 'operator',
  'read-versions': 'operator',
  'set-update-policy': 'operator',
  'read-platform-audit': 'operator',
  'rotate-credentials': 'operator',
} as const satisfies Record<string, Need>;

export type Action = keyof typeof needs;
export const actions = Object.keys(needs) as Action[];

const ranks: Record<Role, number> = { user: 0, admin: 1, operator: 2 };

/** Whether these roles hold that one, itself or by a higher one. */
export const holds = (roles: readonly Role[], wanted: Role): boolean => roles.some((role) => ranks[role] >= ranks[wanted]);

/** The roles of a key that its user still has: nobody does more by a key than without it. */
export const boundedBy = (roles: readonly Role[], user: readonly Role[]): Role[] => roles.filter((role) => holds(user, role));

/**
 * The one answer to who may do what. An account that is not the doer's own is denied in the same words whether it exists
 * or not.
 */
export function may(doer: Doer, action: Action, target: Target = {}): true | Denial {
  const need: Need = needs[action];
  const inside = target.account === undefined || target.account === doer.account;
  const own = inside && holds(doer.roles, 'user') && (target.user === doer.user || (need === 'own' && target.user === undefined));
  const allowed = {
    user: () => (inside && holds(doer.roles, 'user')) || holds(doer.roles, 'operator'),
    own: () => own,
    admin: () => (inside && holds(doer.roles, 'admin')) || holds(doer.roles, 'operator'),
    'admin-or-own': () => own || (inside && holds(doer.roles, 'admin')) || holds(doer.roles, 'operator'),
    operator: () => holds(doer.roles, 'operator'),
  };
  if (allowed[need]()) return true;
  return { slug: 'not-allowed', message: `This needs ${wanted[need]}. Ask an admin of the account, or use another key.` };
}

/** Whether somebody may put these roles on a key or a user, or take them away: nobody gives or takes more than is theirs. */
export function mayGive(doer: Pick<Doer, 'roles'>, roles: readonly Role[]): true | Denial {
  const beyond = roles.find((role) => !holds(doer.roles, role === 'user' ? 'admin' : role));
  if (!beyond) return true;
  return { slug: 'role-not-allowed', message: `The role "${beyond}" is not yours to give or take; ask somebody who has it.` };
}

const wanted: Record<Need, string> = {
  user: 'a user of this very account',
  own: 'the user whose it is',
  admin: 'the role "admin" in this very account, or "operator"',
  'admin-or-own': 'the user whose it is, the role "admin" in this very account, or "operator"',
  operator: 'the role "operator"',
};
