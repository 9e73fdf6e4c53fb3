import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import { CONFIG } from '@skillgate/service-kit/inject';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyMark } from './api-key.js';
import { holdAccount } from './change-facts.js';
import { AccountRow, ApiKeyRow, UserRow } from './entities.js';
import { selectFacts } from './facts-store.js';
import { insertKey } from './keys-store.js';
import { hasOperator, noSignIn, type SignIn } from './operator-left.js';
import { acrossAccounts } from './platform-scope.js';
import { tellFacts } from './tell-facts.js';
import { requireTier } from './tiers-store.js';
import { addUser } from './users-store.js';

const actor: Actor = { service: 'accounts', roles: [] };
const roles = ['operator', 'admin', 'user'] as const;

/** `opens`: the key is an operator's. `repaired`: it was not, and nobody else was; now it is. `shut`: people took its rights, others run the house. */
export type ConfiguredKey = 'opens' | 'repaired' | 'shut';

/** The account of who runs the platform, as the configuration wants it. */
@Injectable()
export class OperatorStore {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly signIn: SignIn = noSignIn,
  ) {}

  /**
   * The operator's account, its user and its key as the configuration has it; what is there already stays, unless nobody at all could
   * run the platform. A key that the configuration no longer names is deleted.
   *
   * @throws Error when the key was revoked by a person or belongs to another account
   */
  async ensure(mark: KeyMark): Promise<{ account: string; key: ConfiguredKey }> {
    const [before] = (await acrossAccounts(this.dataSource, 'SELECT account FROM operator_account()')) as { account: string }[];
    const account = before?.account ?? randomUUID();
    const settled = await inAccount(this.dataSource, account, async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate operator account', 0))`);
      // Another replica may have made it while this one waited; its rows are not to be seen under this account.
      const [now] = (await sql.query('SELECT account FROM operator_account()')) as { account: string }[];
      if (now && now.account !== account) return undefined;
      if (!now) await create(sql, account);
      await holdAccount(sql, account);
      const [held] = (await sql.query('SELECT account FROM find_key($1)', [mark.hash])) as { account: string }[];
      if (held && held.account !== account) throw new Error('SKILLGATE_OPERATOR_KEY is a key of another account; set a new one');
      return ensureConfiguredKey(sql, account, mark, this.signIn);
    });
    return settled ? { account, key: settled } : this.ensure(mark);
  }
}

async function create(sql: EntityManager, account: string): Promise<void> {
  const { revision } = await requireTier(sql, 'team');
  await sql.insert(AccountRow, { id: account, name: 'operator', tier: 'team', tierRevision: revision, isOperator: true });
  await recordAudit(sql, { account, actor, action: 'create-account', target: account, after: { name: 'operator', tier: 'team' } });
  await tellFacts(sql, await selectFacts(sql, account));
}

async function ensureConfiguredKey(sql: EntityManager, account: string, mark: KeyMark, signIn: SignIn): Promise<ConfiguredKey> {
  const keys = await sql.findBy(ApiKeyRow, { account });
  const known = keys.find((key) => key.hash.equals(mark.hash));
  if (known?.revokedAt) throw new Error('SKILLGATE_OPERATOR_KEY is a key that was revoked; set a new one');
  for (const key of keys) {
    if (!key.fromConfig || key.revokedAt || key === known) continue;
    await sql.delete(ApiKeyRow, { account, id: key.id });
    await recordAudit(sql, { account, actor, action: 'revoke-api-key', target: key.id, before: { name: key.name, prefix: key.prefix } });
  }

  const users = await sql.find(UserRow, { where: { account }, order: { createdAt: 'ASC' } });
  const operators = users.filter((user) => !user.revokedAt && user.roles.includes('operator'));
  if (known) {
    const expired = known.expiresAt !== null && known.expiresAt.getTime() <= Date.now();
    const opens = !expired && known.roles.includes('operator') && operators.some(({ id }) => id === known.user);
    if (opens) return 'opens';
    // What people took from it stays taken, as long as there is somebody who can give it back.
    if (await hasOperator(sql, account, signIn)) return 'shut';
  }
  const user = operators[0]?.id ?? (await addOperator(sql, account));
  if (known) {
    const after = { user, roles: [...roles], expiresAt: null };
    await sql.update(ApiKeyRow, { account, id: known.id }, after);
    const before = { user: known.user, roles: known.roles, expiresAt: known.expiresAt?.toISOString() ?? null };
    await recordAudit(sql, { account, actor, action: 'repair-operator-key', target: known.id, before, after });
    return 'repaired';
  }
  const name = 'configured operator key';
  const { id } = await insertKey(sql, { account, user, name, roles: [...roles], fromConfig: true, ...mark });
  await recordAudit(sql, { account, actor, action: 'create-api-key', target: id, after: { name, user, roles, prefix: mark.prefix } });
  return 'opens';
}

async function addOperator(sql: EntityManager, account: string): Promise<string> {
  const id = await addUser(sql, { account, name: 'operator', roles });
  await recordAudit(sql, { account, actor, action: 'create-user', target: id, after: { name: 'operator', roles } });
  return id;
}
