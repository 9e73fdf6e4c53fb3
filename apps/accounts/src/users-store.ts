import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import type { Identity, UserView } from '@skillgate/contracts/calls/users';
import type { Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { CONFIG } from '@skillgate/service-kit/inject';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource, type EntityManager } from 'typeorm';
import { holdAccount } from './change-facts.js';
import { AccountRow, IdentityRow, UserRow } from './entities.js';
import { unknownAccount } from './facts-store.js';
import { noSignIn, requireOperatorLeft, type SignIn } from './operator-left.js';
import { requireAdminLeft, requireGift, requireRolesOfAccount } from './user-rules.js';

export interface NewUser {
  readonly account: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

const select = `SELECT u.id, u.account, u.name, u.roles, u.created_at AS "createdAt", u.revoked_at AS "revokedAt",
    coalesce((SELECT jsonb_agg(jsonb_build_object('issuer', i.issuer, 'subject', i.subject) ORDER BY i.issuer, i.subject)
      FROM identities i WHERE i.account = u.account AND i."user" = u.id), '[]') AS identities
  FROM users u WHERE u.account = $1`;

type Row = Omit<UserView, 'createdAt' | 'revokedAt'> & { createdAt: Date; revokedAt: Date | null };

/** Users of accounts. Refuses `unknown-account`, `unknown-user`, `role-not-allowed`, `last-admin` and `last-operator`. */
@Injectable()
export class UsersStore {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly signIn: SignIn = noSignIn,
  ) {}

  /** Refuses `identity-taken` as well. */
  create({ account, name, ...wanted }: NewUser, identity: Identity | undefined, actor: Actor): Promise<UserView> {
    const roles = [...new Set(wanted.roles)];
    return inAccount(this.dataSource, account, async (sql) => {
      const { isOperator } = await holdAccount(sql, account);
      requireGift(actor, roles);
      requireRolesOfAccount(roles, isOperator);
      const id = await addUser(sql, { account, name, roles });
      if (identity && !(await addIdentity(sql, account, id, identity))) {
        throw refuse('identity-taken', 'This subject of that issuer is a user of the account already; list the users to find it.');
      }
      await recordAudit(sql, { account, actor, action: 'create-user', target: id, after: { name, roles, ...(identity && { identity }) } });
      return view(sql, account, id);
    });
  }

  list(account: string, after: string | undefined, limit: number): Promise<UserView[]> {
    return inAccount(this.dataSource, account, async (sql) => {
      if (!(await sql.existsBy(AccountRow, { id: account }))) throw unknownAccount(account);
      const behind = `AND ($2::uuid IS NULL OR (u.created_at, u.id) > (SELECT created_at, id FROM users WHERE account = $1 AND id = $2))`;
      const rows = (await sql.query(`${select} ${behind} ORDER BY u.created_at, u.id LIMIT $3`, [account, after ?? null, limit])) as Row[];
      return rows.map(viewOf);
    });
  }

  /** Refuses `user-revoked` as well. */
  update(account: string, id: string, change: { name?: string; roles?: readonly Role[] }, actor: Actor): Promise<UserView> {
    return inAccount(this.dataSource, account, async (sql) => {
      const { isOperator } = await holdAccount(sql, account);
      const user = await requireUser(sql, account, id);
      if (user.revokedAt) throw refuse('user-revoked', 'This user was revoked for good; create a new one.');
      const after = { name: change.name ?? user.name, roles: [...new Set(change.roles ?? user.roles)] };
      const given = after.roles.filter((role) => !user.roles.includes(role));
      const taken = user.roles.filter((role) => !after.roles.includes(role));
      requireGift(actor, [...given, ...taken]);
      requireRolesOfAccount(given, isOperator);
      if (taken.length > 0) requireAdminLeft(actor, await othersRoles(sql, account, id), after.roles, user.roles);
      if (after.name === user.name && given.length + taken.length === 0) return view(sql, account, id);
      await sql.update(UserRow, { account, id }, after);
      if (taken.includes('operator')) await requireOperatorLeft(sql, account, this.signIn);
      const before = { name: user.name, roles: user.roles };
      await recordAudit(sql, { account, actor, action: 'update-user', target: id, before, after });
      return view(sql, account, id);
    });
  }

  /** Once revoked, always revoked; a second time changes nothing. */
  revoke(account: string, id: string, actor: Actor): Promise<void> {
    return inAccount(this.dataSource, account, async (sql) => {
      await holdAccount(sql, account);
      const user = await requireUser(sql, account, id);
      if (user.revokedAt) return;
      requireGift(actor, user.roles);
      requireAdminLeft(actor, await othersRoles(sql, account, id), [], user.roles);
      await sql.update(UserRow, { account, id }, { revokedAt: new Date() });
      if (user.roles.includes('operator')) await requireOperatorLeft(sql, account, this.signIn);
      const before = { name: user.name, roles: user.roles, revoked: false };
      await recordAudit(sql, { account, actor, action: 'revoke-user', target: id, before, after: { revoked: true } });
    });
  }
}

export async function addUser(sql: EntityManager, { account, name, roles }: NewUser): Promise<string> {
  const id = randomUUID();
  await sql.insert(UserRow, { id, account, name, roles: [...new Set(roles)] });
  return id;
}

/** @returns false when the account has a user with that identity */
export async function addIdentity(sql: EntityManager, account: string, user: string, { issuer, subject }: Identity): Promise<boolean> {
  const query = 'INSERT INTO identities (account, issuer, subject, "user") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1';
  return ((await sql.query(query, [account, issuer, subject, user])) as unknown[]).length > 0;
}

export const findIdentity = (sql: EntityManager, account: string, { issuer, subject }: Identity): Promise<IdentityRow | null> =>
  sql.findOneBy(IdentityRow, { account, issuer, subject });

/** Of this account, revoked or not. */
export async function requireUser(sql: EntityManager, account: string, id: string): Promise<UserRow> {
  const user = await sql.findOneBy(UserRow, { account, id });
  if (!user) throw refuse('unknown-user', `This account has no user ${id}; check both ids.`);
  return user;
}

const othersRoles = async (sql: EntityManager, account: string, id: string): Promise<Role[][]> =>
  ((await sql.query('SELECT roles FROM users WHERE account = $1 AND id <> $2 AND revoked_at IS NULL', [account, id])) as UserRow[]).map(
    ({ roles }) => roles,
  );

async function view(sql: EntityManager, account: string, id: string): Promise<UserView> {
  const [row] = (await sql.query(`${select} AND u.id = $2`, [account, id])) as Row[];
  return viewOf(row!);
}

const viewOf = ({ createdAt, revokedAt, ...row }: Row): UserView => ({
  ...row,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
});
