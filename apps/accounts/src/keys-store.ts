import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import type { KeyPrincipal } from '@skillgate/contracts/calls/accounts';
import type { ApiKeyView } from '@skillgate/contracts/calls/api-keys';
import { limits, type Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { boundedBy, holds } from '@skillgate/gating/may';
import { CONFIG } from '@skillgate/service-kit/inject';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyMark } from './api-key.js';
import { holdAccount } from './change-facts.js';
import { AccountRow, ApiKeyRow } from './entities.js';
import { accountsWithTier, effectiveRights, unknownAccount } from './facts-store.js';
import { acrossAccounts } from './platform-scope.js';
import { noSignIn, requireOperatorLeft, type SignIn } from './operator-left.js';
import { requireGift, requireRolesOfAccount } from './user-rules.js';
import { addUser, requireUser } from './users-store.js';

export interface NewKey {
  readonly account: string;
  /** Absent: the key gets a user of its own. */
  readonly user?: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly expiresAt?: Date;
}

const selectPrincipal = `
  SELECT a.id AS account, a.name AS "accountName", k."user", k.id AS key, k.roles, u.roles AS "userRoles", a.tier,
    a.policy_epoch AS "policyEpoch", ${effectiveRights}, extract(epoch FROM k.expires_at)::float8 AS "expiresAt",
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 hour' AS "useIsNews"
  FROM api_keys k JOIN users u ON u.account = k.account AND u.id = k."user" JOIN ${accountsWithTier} ON a.id = k.account
  WHERE k.id = $1`;

type PrincipalRow = Omit<KeyPrincipal, 'expiresAt'> & { userRoles: Role[]; expiresAt: number | null; useIsNews: boolean };

/** API keys. Those of the operator account that come from the configuration are the matter of `OperatorStore`. */
@Injectable()
export class KeysStore {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly signIn: SignIn = noSignIn,
  ) {}

  /** Who the key with this hash stands for; null for an unknown, expired or revoked key and for a revoked user. */
  async findPrincipal(hash: Buffer): Promise<KeyPrincipal | null> {
    const found = await findKey(this.dataSource, hash);
    if (!found) return null;
    return inAccount(this.dataSource, found.account, async (sql) => {
      const [row] = (await sql.query(selectPrincipal, [found.key])) as PrincipalRow[];
      if (!row) return null;
      const { useIsNews, userRoles, expiresAt, ...principal } = row;
      if (useIsNews) await sql.query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [found.key]);
      return {
        ...principal,
        limits: limits.parse(principal.limits),
        roles: boundedBy(principal.roles, userRoles),
        ...(expiresAt !== null && { expiresAt: Math.floor(expiresAt) }),
      };
    });
  }

  /** Refuses `unknown-account`, `unknown-user`, `role-not-allowed` and `expiry-past`. */
  add({ account, user, name, expiresAt, ...wanted }: NewKey, mark: KeyMark, actor: Actor): Promise<ApiKeyRow> {
    const roles = [...new Set(wanted.roles)];
    return inAccount(this.dataSource, account, async (sql) => {
      const { isOperator } = await holdAccount(sql, account);
      requireGift(actor, roles);
      requireRolesOfAccount(roles, isOperator);
      if (expiresAt && expiresAt.getTime() <= Date.now()) {
        throw refuse('expiry-past', 'A key cannot end in the past; give a later "expiresAt".');
      }
      const newOwner = () => addUser(sql, { account, name, roles: ['user', ...roles] });
      const owner = user === undefined ? await newOwner() : await ownerOf(sql, account, user, roles);
      const row = await insertKey(sql, { account, user: owner, name, roles, expiresAt: expiresAt ?? null, ...mark });
      const after = { name, user: owner, roles, prefix: mark.prefix, expiresAt: expiresAt?.toISOString() ?? null };
      await recordAudit(sql, { account, actor, action: 'create-api-key', target: row.id, after });
      return row;
    });
  }

  /** Newest first, with what may be shown of them. Refuses `unknown-account`. */
  list(account: string, user?: string): Promise<ApiKeyView[]> {
    return inAccount(this.dataSource, account, async (sql) => {
      if (!(await sql.existsBy(AccountRow, { id: account }))) throw unknownAccount(account);
      const rows = await sql.find(ApiKeyRow, { where: { account, ...(user && { user }) }, order: { createdAt: 'DESC', id: 'DESC' } });
      return rows.map(viewOf);
    });
  }

  /** Whose key it is; undefined for one that this account does not have. */
  async userOf(account: string, key: string): Promise<string | undefined> {
    return (await inAccount(this.dataSource, account, (sql) => sql.findOneBy(ApiKeyRow, { account, id: key })))?.user;
  }

  /** Once revoked, always revoked; a second time changes nothing. Refuses `unknown-key`, `role-not-allowed` and `last-operator`. */
  revoke(account: string, key: string, actor: Actor): Promise<void> {
    return inAccount(this.dataSource, account, async (sql) => {
      // Held like for every change of users and keys: of two operators who revoke each other's key, one stays.
      await sql.findOne(AccountRow, { where: { id: account }, lock: { mode: 'pessimistic_write' } });
      const row = await sql.findOneBy(ApiKeyRow, { account, id: key });
      if (!row) throw refuse('unknown-key', `This account has no key ${key}; check both ids.`);
      if (row.user !== actor.user) requireGift(actor, row.roles);
      if (row.revokedAt) return;
      await sql.update(ApiKeyRow, { account, id: key }, { revokedAt: new Date() });
      if (row.roles.includes('operator')) await requireOperatorLeft(sql, account, this.signIn);
      const before = { name: row.name, user: row.user, roles: row.roles, revoked: false };
      await recordAudit(sql, { account, actor, action: 'revoke-api-key', target: key, before, after: { revoked: true } });
    });
  }
}

/** The one lookup across accounts: which key has this hash and still opens. */
export async function findKey(dataSource: DataSource, hash: Buffer): Promise<{ account: string; key: string } | undefined> {
  const [found] = (await acrossAccounts(dataSource, 'SELECT account, key FROM find_key($1)', [hash])) as { account: string; key: string }[];
  return found;
}

export async function insertKey(
  sql: EntityManager,
  key: Pick<ApiKeyRow, 'account' | 'user' | 'name' | 'roles' | 'hash' | 'prefix'> & Partial<Pick<ApiKeyRow, 'fromConfig' | 'expiresAt'>>,
): Promise<ApiKeyRow> {
  return sql.save(ApiKeyRow, { id: randomUUID(), ...key });
}

/** A living user who may do all that the key is for. */
async function ownerOf(sql: EntityManager, account: string, id: string, roles: readonly Role[]): Promise<string> {
  const user = await requireUser(sql, account, id);
  if (user.revokedAt) throw refuse('unknown-user', `This account has no living user ${id}; leave the id out for a new user.`);
  const beyond = roles.find((role) => !holds(user.roles, role));
  if (beyond) throw refuse('role-not-allowed', `This user lacks the role "${beyond}", and so do its keys; give it to the user first.`);
  return user.id;
}

const viewOf = ({ id, user, name, roles, prefix, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeyRow): ApiKeyView => ({
  ...{ id, user, name, roles, prefix, createdAt: createdAt.toISOString() },
  expiresAt: expiresAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
