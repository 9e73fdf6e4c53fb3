import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import type { LimitOverrides } from '@skillgate/contracts/entitlements';
import { integrationConnected, integrationDisconnected } from '@skillgate/contracts/events/accounts';
import type { SkillState } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { outgoing } from '@skillgate/store/enqueue';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountFacts } from './account-facts.js';
import { changeFacts, type Change, type Difference } from './change-facts.js';
import { AccountRow, IntegrationRow, SkillLockRow, SkillStateRow } from './entities.js';
import { selectFacts } from './facts-store.js';
import { acrossAccounts } from './platform-scope.js';
import { tellFacts } from './tell-facts.js';
import { requireTier } from './tiers-store.js';
import { addUser } from './users-store.js';

/** Accounts and what they may use: SQL and nothing else. Refuses `unknown-account` and `unknown-tier`. */
@Injectable()
export class AccountsStore {
  constructor(private readonly dataSource: DataSource) {}

  facts(account: string): Promise<AccountFacts> {
    return inAccount(this.dataSource, account, (sql) => selectFacts(sql, account));
  }

  /** Oldest first, each read under its own account. */
  async list(after: string | undefined, limit: number): Promise<AccountFacts[]> {
    const query = 'SELECT account FROM accounts_after($1, $2)';
    const ids = (await acrossAccounts(this.dataSource, query, [after ?? null, limit])) as { account: string }[];
    const found: AccountFacts[] = [];
    for (const { account } of ids) found.push(await this.facts(account));
    return found;
  }

  /** With a first user, who is its admin. */
  create(name: string, tier: string, actor: Actor, adminName = 'admin'): Promise<AccountFacts & { admin: string }> {
    const id = randomUUID();
    return inAccount(this.dataSource, id, async (sql) => {
      const { revision } = await requireTier(sql, tier);
      await sql.insert(AccountRow, { id, name, tier, tierRevision: revision });
      const admin = await addUser(sql, { account: id, name: adminName, roles: ['admin', 'user'] });
      await recordAudit(sql, { account: id, actor, action: 'create-account', target: id, after: { name, tier, admin } });
      return { ...(await tellFacts(sql, await selectFacts(sql, id))), admin };
    });
  }

  setTier(account: string, tier: string, actor: Actor): Promise<Change> {
    return this.change(account, { actor, action: 'set-tier', target: account }, async (sql, row) => {
      const { revision } = await requireTier(sql, tier);
      if (row.tier === tier) return null;
      await sql.update(AccountRow, { id: account }, { tier, tierRevision: revision });
      return { before: { tier: row.tier }, after: { tier } };
    });
  }

  setCapabilities(account: string, capabilities: readonly string[], actor: Actor): Promise<Change> {
    const wanted = [...new Set(capabilities)].sort();
    return this.change(account, { actor, action: 'set-capabilities', target: account }, async (sql, row) => {
      if (same([...row.extraCapabilities].sort(), wanted)) return null;
      await sql.update(AccountRow, { id: account }, { extraCapabilities: wanted });
      return { before: row.extraCapabilities, after: wanted };
    });
  }

  setLimits(account: string, overrides: LimitOverrides, actor: Actor): Promise<Change> {
    return this.change(account, { actor, action: 'set-limits', target: account }, async (sql, row) => {
      const names = ['turnsPerDay', 'tokensPerDay', 'parallelTurns'] as const;
      if (names.every((name) => overrides[name] === row.limitOverrides[name])) return null;
      await sql.update(AccountRow, { id: account }, { limitOverrides: overrides });
      return { before: row.limitOverrides, after: overrides };
    });
  }

  setIntegration(account: string, name: string, connected: boolean, actor: Actor): Promise<Change> {
    const event = connected ? integrationConnected : integrationDisconnected;
    const status = connected ? 'connected' : 'disconnected';
    return inAccount(this.dataSource, account, (sql) =>
      changeFacts(
        sql,
        account,
        { actor, action: 'set-integration', target: name },
        async () => {
          const before = (await sql.findOneBy(IntegrationRow, { account, name }))?.status ?? 'disconnected';
          await sql.upsert(IntegrationRow, { account, name, status }, ['account', 'name']);
          return unlessSame(before, status);
        },
        (policyEpoch) => outgoing(event, { account, integration: name, policyEpoch }, account),
      ),
    );
  }

  setSkillState(account: string, skill: string, state: SkillState | null, actor: Actor): Promise<Change> {
    return this.change(account, { actor, action: 'set-skill-state', target: skill }, async (sql) => {
      const before = await sql.findOneBy(SkillStateRow, { account, skill });
      if (state === null) await sql.delete(SkillStateRow, { account, skill });
      else await sql.upsert(SkillStateRow, { account, skill, state }, ['account', 'skill']);
      return unlessSame(before?.state ?? null, state);
    });
  }

  setSkillLock(account: string, skill: string, by: SkillLockRow['by'], state: SkillLockRow['state'] | null, actor: Actor): Promise<Change> {
    return this.change(account, { actor, action: `set-${by}-lock`, target: skill }, async (sql) => {
      const before = await sql.findOneBy(SkillLockRow, { account, skill, by });
      if (state === null) await sql.delete(SkillLockRow, { account, skill, by });
      else await sql.upsert(SkillLockRow, { account, skill, by, state }, ['account', 'skill', 'by']);
      return unlessSame(before?.state ?? null, state);
    });
  }

  private change(
    account: string,
    deed: Parameters<typeof changeFacts>[2],
    work: (sql: EntityManager, row: AccountRow) => Promise<Difference | null>,
  ): Promise<Change> {
    return inAccount(this.dataSource, account, (sql) => changeFacts(sql, account, deed, (row) => work(sql, row)));
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();
const unlessSame = (before: unknown, after: unknown): Difference | null => (before === after ? null : { before, after });
