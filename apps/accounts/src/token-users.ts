import { Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import type { authenticateToken } from '@skillgate/contracts/calls/accounts';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { boundedBy } from '@skillgate/gating/may';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRow, type UserRow } from './entities.js';
import { selectFacts } from './facts-store.js';
import { addIdentity, addUser, findIdentity, requireUser } from './users-store.js';
import type { VerifiedToken } from './verify-token.js';

export type TokenPrincipal = CallOutput<typeof authenticateToken>;

/** Which user a proved token stands for. Refuses `unknown-user`, `user-revoked` and `token-without-role`. */
@Injectable()
export class TokenUsers {
  constructor(private readonly dataSource: DataSource) {}

  async principalOf(token: VerifiedToken): Promise<TokenPrincipal> {
    const { account, issuer, subject, roles, rolesClaim, expiresAt } = token;
    return inAccount(this.dataSource, account, async (sql) => {
      // An account that is not there is told like a user who is not there.
      const row = await sql.findOneBy(AccountRow, { id: account });
      if (!row) throw unknownUser();
      // Who may speak for any account does not speak for the one that runs the platform, unless the configuration names it.
      const provision = token.provision && (!row.isOperator || token.accountIsNamed);
      const user = await this.userOf(sql, { ...token, provision });
      if (user.revokedAt) throw refuse('user-revoked', 'This user was revoked. Ask an admin of the account.');
      const { name: accountName, entitlements } = await selectFacts(sql, account);
      const { tier, capabilities, limits, policyEpoch } = entitlements;
      return {
        ...{ account, accountName, user: user.id, issuer, subject, tier, capabilities, limits, policyEpoch, expiresAt },
        roles: roles ? rolesByToken(roles, user.roles, rolesClaim) : user.roles,
      };
    });
  }

  private async userOf(sql: EntityManager, token: VerifiedToken): Promise<UserRow> {
    const { account, issuer, subject } = token;
    const known = await findIdentity(sql, account, token);
    if (known) return requireUser(sql, account, known.user);
    if (!token.provision) throw unknownUser();
    // A first visit opens several connections at once; one of them makes the user.
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`skillgate identity ${account} ${issuer} ${subject}`]);
    const meanwhile = await findIdentity(sql, account, token);
    if (meanwhile) return requireUser(sql, account, meanwhile.user);
    const id = await addUser(sql, { account, name: token.name, roles: ['user'] });
    await addIdentity(sql, account, id, token);
    const after = { name: token.name, roles: ['user'], identity: { issuer, subject } };
    const actor: Actor = { service: 'accounts', subject, roles: [] };
    await recordAudit(sql, { account, actor, action: 'provision-user', target: id, after });
    return requireUser(sql, account, id);
  }
}

/** Who may do nothing at all is told why: the token is proved by now, and its holder can have it mended. */
function rolesByToken(claimed: readonly Role[], held: readonly Role[], claim = 'roles'): Role[] {
  const roles = boundedBy(claimed, held);
  if (roles.length > 0) return roles;
  const why = claimed.length === 0 ? 'holds no role' : `holds ${claimed.join(', ')}, which this user does not have`;
  throw refuse(
    'token-without-role',
    `The claim "${claim}" of this token ${why}. It should hold one of ${held.join(', ')}, as text or in a list; ask whoever runs its issuer.`,
  );
}

const unknownUser = () =>
  refuse('unknown-user', 'This token is genuine, but its subject is no user here. Ask an admin of your account to add you.');
