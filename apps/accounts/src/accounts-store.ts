import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { integrationConnected, integrationDisconnected } from '@skillgate/contracts/events/accounts';
import type { IntegrationName } from '@skillgate/contracts/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import type { SkillState } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { outgoing, type Outgoing } from '@skillgate/store/enqueue';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountFacts } from './account-facts.js';
import { AccountRow, IntegrationRow, SkillLockRow, SkillStateRow, TierRow } from './entities.js';
import { selectFacts, unknownAccount } from './facts-store.js';
import { tellFacts } from './tell-facts.js';

export interface Change {
  readonly facts: AccountFacts;
  /** False when everything stood already as asked: the epoch did not move. */
  readonly changed: boolean;
}

/** Accounts and what they may use: SQL and nothing else. Refuses `unknown-account` and `unknown-tier`. */
@Injectable()
export class AccountsStore {
  constructor(private readonly dataSource: DataSource) {}

  facts(account: string): Promise<AccountFacts> {
    return inAccount(this.dataSource, account, (sql) => selectFacts(sql, account));
  }

  create(name: string, tier: string): Promise<AccountFacts> {
    const id = randomUUID();
    return inAccount(this.dataSource, id, async (sql) => {
      await requireTier(sql, tier);
      await sql.insert(AccountRow, { id, name, tier });
      return tellFacts(sql, await selectFacts(sql, id));
    });
  }

  setTier(account: string, tier: string): Promise<Change> {
    return this.change(account, async (sql, row) => {
      await requireTier(sql, tier);
      if (row.tier === tier) return false;
      await sql.update(AccountRow, { id: account }, { tier });
      return true;
    });
  }

  setIntegration(account: string, name: IntegrationName, connected: boolean): Promise<Change> {
    const event = connected ? integrationConnected : integrationDisconnected;
    const also = (policyEpoch: number) => outgoing(event, { account, integration: name, policyEpoch }, account);
    return this.change(
      account,
      async (sql) => {
        const status = connected ? 'connected' : 'disconnected';
        const before = await sql.findOneBy(IntegrationRow, { account, name });
        await sql.upsert(IntegrationRow, { account, name, status }, ['account', 'name']);
        return (before?.status ?? 'disconnected') !== status;
      },
      also,
    );
  }

  setSkillState(account: string, skill: string, state: SkillState | null): Promise<Change> {
    return this.change(account, async (sql) => {
      const before = await sql.findOneBy(SkillStateRow, { account, skill });
      if (state === null) await sql.delete(SkillStateRow, { account, skill });
      else await sql.upsert(SkillStateRow, { account, skill, state }, ['account', 'skill']);
      return (before?.state ?? null) !== state;
    });
  }

  setSkillLock(account: string, skill: string, by: SkillLockRow['by'], state: SkillLockRow['state'] | null): Promise<Change> {
    return this.change(account, async (sql) => {
      const before = await sql.findOneBy(SkillLockRow, { account, skill, by });
      if (state === null) await sql.delete(SkillLockRow, { account, skill, by });
      else await sql.upsert(SkillLockRow, { account, skill, by, state }, ['account', 'skill', 'by']);
      return (before?.state ?? null) !== state;
    });
  }

  /**
   * The one way in which entitlements change: with the account's row held, and with the epoch and the event in the same commit.
   *
   * @param also an event of its own for this kind of change, by the new epoch
   */
  private change(
    account: string,
    work: (sql: EntityManager, row: AccountRow) => Promise<boolean>,
    also?: (policyEpoch: number) => Outgoing,
  ): Promise<Change> {
    return inAccount(this.dataSource, account, async (sql) => {
      const row = await sql.findOne(AccountRow, { where: { id: account }, lock: { mode: 'pessimistic_write' } });
      if (!row) throw unknownAccount(account);
      const changed = await work(sql, row);
      if (!changed) return { facts: await selectFacts(sql, account), changed };
      await sql.increment(AccountRow, { id: account }, 'policyEpoch', 1);
      const facts = await selectFacts(sql, account);
      return { facts: await tellFacts(sql, facts, also?.(facts.entitlements.policyEpoch)), changed };
    });
  }
}

async function requireTier(sql: EntityManager, name: string): Promise<void> {
  const tiers = await sql.find(TierRow, { order: { name: 'ASC' } });
  if (tiers.some((tier) => tier.name === name)) return;
  throw refuse('unknown-tier', `There is no tier "${name}"; choose one of ${tiers.map((tier) => tier.name).join(', ')}.`);
}
