import { Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import type { Tier } from '@skillgate/contracts/calls/accounts';
import { refuse } from '@skillgate/contracts/refusal';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource, type EntityManager } from 'typeorm';
import { TierRow } from './entities.js';
import { tierActorSetting } from './migrations/0020-tier-actors.js';
import { acrossAccounts, inPlatform } from './platform-scope.js';

/** PostgreSQL's code for a row that others still point to. */
const stillReferenced = '23503';

/** Tiers as operators define them. Which accounts have followed is the matter of `FollowTiers`. */
@Injectable()
export class TiersStore {
  constructor(private readonly dataSource: DataSource) {}

  async list(): Promise<(Tier & { accounts: number })[]> {
    const query = `SELECT name, capabilities, limits, (SELECT accounts FROM accounts_on(name)) AS accounts FROM tiers ORDER BY name`;
    const rows = (await acrossAccounts(this.dataSource, query)) as (Tier & { accounts: string })[];
    return rows.map((row) => ({ ...row, accounts: Number(row.accounts) }));
  }

  /** Defines or changes. What stands already as asked makes no version and no entry. */
  put({ name, capabilities, limits }: Tier, actor: Actor): Promise<Tier> {
    const wanted: Tier = { name, capabilities: [...new Set(capabilities)], limits };
    return inPlatform(this.dataSource, async (sql) => {
      await holdTiers(sql);
      const before = await sql.findOneBy(TierRow, { name });
      const after = { capabilities: wanted.capabilities, limits };
      // The version takes it from there: accounts that follow name who changed their rights.
      await sql.query(`SELECT set_config('${tierActorSetting}', $1, true)`, [JSON.stringify(actor)]);
      if (!before) await sql.insert(TierRow, { name, ...after });
      else if (!sameRights(before, wanted)) await sql.update(TierRow, { name }, after);
      else return wanted;
      const rights = before && { capabilities: before.capabilities, limits: before.limits };
      await recordAudit(sql, { account: null, actor, action: 'put-tier', target: name, before: rights, after });
      return wanted;
    });
  }

  /** Refuses `unknown-tier`, and `tier-in-use` with the number of accounts in its details. */
  async delete(name: string, actor: Actor): Promise<void> {
    try {
      await inPlatform(this.dataSource, async (sql) => {
        await holdTiers(sql);
        const { capabilities, limits } = await requireTier(sql, name);
        await sql.delete(TierRow, { name });
        await recordAudit(sql, { account: null, actor, action: 'delete-tier', target: name, before: { capabilities, limits } });
      });
    } catch (error) {
      if ((error as { code?: string }).code !== stillReferenced) throw error;
      const [row] = (await acrossAccounts(this.dataSource, 'SELECT accounts FROM accounts_on($1)', [name])) as { accounts: string }[];
      const accounts = Number(row?.accounts);
      throw refuse('tier-in-use', `Accounts are on the tier "${name}"; move them to another one first.`, { accounts });
    }
  }
}

/** Who made this version of a tier: a service where it was changed by SQL. */
export async function actorOfVersion(sql: EntityManager, name: string, revision: number): Promise<Actor> {
  const query = 'SELECT actor FROM tier_versions WHERE name = $1 AND revision = $2';
  const [version] = (await sql.query(query, [name, revision])) as { actor: Actor | null }[];
  return version?.actor ?? { service: 'accounts', roles: [] };
}

export async function requireTier(sql: EntityManager, name: string): Promise<TierRow> {
  const tiers = await sql.find(TierRow, { order: { name: 'ASC' } });
  const tier = tiers.find((each) => each.name === name);
  if (tier) return tier;
  throw refuse('unknown-tier', `There is no tier "${name}"; choose one of ${tiers.map((each) => each.name).join(', ')}.`);
}

/** Changes of tiers follow one another, also of one that is not there yet. */
const holdTiers = (sql: EntityManager) => sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate tiers', 0))`);

function sameRights(one: Omit<Tier, 'name'>, other: Omit<Tier, 'name'>): boolean {
  const { turnsPerDay, tokensPerDay, parallelTurns } = one.limits;
  return (
    [...one.capabilities].sort().join() === [...other.capabilities].sort().join() &&
    turnsPerDay === other.limits.turnsPerDay &&
    tokensPerDay === other.limits.tokensPerDay &&
    parallelTurns === other.limits.parallelTurns
  );
}
