import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { KeyPrincipal } from '@skillgate/contracts/calls/accounts';
import type { Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { inAccount } from '@skillgate/store/account-scope';
import { asHouseError } from '@skillgate/store/database-errors';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyMark } from './api-key.js';
import { AccountRow, ApiKeyRow, UserRow } from './entities.js';
import { selectFacts, unknownAccount } from './facts-store.js';
import { tellFacts } from './tell-facts.js';

export interface NewKey {
  readonly account: string;
  /** Absent: the key gets a user of its own. */
  readonly user?: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

const selectPrincipal = `
  SELECT a.id AS account, a.name AS "accountName", k."user", k.id AS key, k.roles, a.tier, a.policy_epoch AS "policyEpoch",
    ARRAY(SELECT DISTINCT unnest(t.capabilities || a.extra_capabilities) ORDER BY 1) AS capabilities,
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 hour' AS "useIsNews"
  FROM api_keys k JOIN accounts a ON a.id = k.account JOIN tiers t ON t.name = a.tier
  WHERE k.id = $1`;

/** Users and their keys. */
@Injectable()
export class KeysStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Who the key with this hash stands for; null for an unknown or revoked key and for a revoked user. */
  async findPrincipal(hash: Buffer): Promise<KeyPrincipal | null> {
    const [found] = (await this.acrossAccounts('SELECT account, key FROM find_key($1)', [hash])) as { account: string; key: string }[];
    if (!found) return null;
    return inAccount(this.dataSource, found.account, async (sql) => {
      const [row] = (await sql.query(selectPrincipal, [found.key])) as (KeyPrincipal & { useIsNews: boolean })[];
      if (!row) return null;
      const { useIsNews, ...principal } = row;
      if (useIsNews) await sql.query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [found.key]);
      return principal;
    });
  }

  /** Refuses `unknown-account`, `unknown-user` and `role-not-allowed`. */
  add({ account, user, name, roles }: NewKey, mark: KeyMark): Promise<ApiKeyRow> {
    return inAccount(this.dataSource, account, async (sql) => {
      const row = await sql.findOneBy(AccountRow, { id: account });
      if (!row) throw unknownAccount(account);
      if (roles.includes('operator') && !row.isOperator) {
        throw refuse('role-not-allowed', 'The role "operator" is for keys of the operator account; ask for "admin" or "user".');
      }
      const owner = user === undefined ? await addUser(sql, account, name) : await requireUser(sql, account, user);
      return insertKey(sql, { account, user: owner, name, roles: [...roles], ...mark });
    });
  }

  /** Once revoked, always revoked; a second time changes nothing. Refuses `unknown-key`. */
  revoke(account: string, key: string): Promise<void> {
    return inAccount(this.dataSource, account, async (sql) => {
      const row = await sql.findOneBy(ApiKeyRow, { account, id: key });
      if (!row) throw refuse('unknown-key', `This account has no key ${key}; check both ids.`);
      if (!row.revokedAt) await sql.update(ApiKeyRow, { id: key }, { revokedAt: new Date() });
    });
  }

  /**
   * The operator's account, its user and its key as the configuration has it; what is there already stays. A key that the
   * configuration no longer names is deleted.
   *
   * @throws Error when the key was revoked by a person or belongs to another account
   */
  async ensureOperator(mark: KeyMark): Promise<string> {
    const before = await this.operatorAccount();
    const account = before ?? randomUUID();
    const settled = await inAccount(this.dataSource, account, async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate operator account', 0))`);
      // Another replica may have made it while this one waited; its rows are not to be seen under this account.
      const [now] = (await sql.query('SELECT account FROM operator_account()')) as { account: string }[];
      if (now && now.account !== account) return false;
      if (!now) {
        await sql.insert(AccountRow, { id: account, name: 'operator', tier: 'team', isOperator: true });
        await tellFacts(sql, await selectFacts(sql, account));
      }
      const [held] = (await sql.query('SELECT account FROM find_key($1)', [mark.hash])) as { account: string }[];
      if (held && held.account !== account) throw new Error('SKILLGATE_OPERATOR_KEY is a key of another account; set a new one');
      await ensureConfiguredKey(sql, account, mark);
      return true;
    });
    return settled ? account : this.ensureOperator(mark);
  }

  private async operatorAccount(): Promise<string | undefined> {
    const [row] = (await this.acrossAccounts('SELECT account FROM operator_account()')) as { account: string }[];
    return row?.account;
  }

  private async acrossAccounts(query: string, parameters?: unknown[]): Promise<unknown> {
    try {
      return await this.dataSource.query(query, parameters);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

async function ensureConfiguredKey(sql: EntityManager, account: string, mark: KeyMark): Promise<void> {
  const keys = await sql.findBy(ApiKeyRow, { account });
  const known = keys.find((key) => key.hash.equals(mark.hash));
  if (known?.revokedAt) throw new Error('SKILLGATE_OPERATOR_KEY is a key that was revoked; set a new one');
  for (const key of keys) if (key.fromConfig && !key.revokedAt && key !== known) await sql.delete(ApiKeyRow, { account, id: key.id });
  if (known) return;

  const owner = await sql.findOne(UserRow, { where: { account }, order: { createdAt: 'ASC' } });
  const user = owner?.id ?? (await addUser(sql, account, 'operator'));
  await insertKey(sql, { account, user, name: 'configured operator key', roles: ['operator', 'admin', 'user'], fromConfig: true, ...mark });
}

async function insertKey(
  sql: EntityManager,
  key: Pick<ApiKeyRow, 'account' | 'user' | 'name' | 'roles' | 'hash' | 'prefix'> & Partial<Pick<ApiKeyRow, 'fromConfig'>>,
): Promise<ApiKeyRow> {
  return sql.save(ApiKeyRow, { id: randomUUID(), ...key });
}

async function addUser(sql: EntityManager, account: string, name: string): Promise<string> {
  const id = randomUUID();
  await sql.insert(UserRow, { id, account, name });
  return id;
}

async function requireUser(sql: EntityManager, account: string, id: string): Promise<string> {
  const user = await sql.findOneBy(UserRow, { account, id });
  if (!user || user.revokedAt) throw refuse('unknown-user', `This account has no user ${id}; leave the id out for a new user.`);
  return user.id;
}
