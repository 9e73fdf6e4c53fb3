import { Injectable } from '@nestjs/common';
import type { EffectPolicies, ToolEffect, ToolPolicy } from '@skillgate/contracts/words';
import { decidePolicy, type PolicyWords } from '@skillgate/gating/tool-policy';
import type { Actor } from '@skillgate/contracts/audit';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { asHouseError } from '@skillgate/store/database-errors';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import type { Profile } from './profiles.js';
import type { PolicyOf } from './tool-standing.js';

/** Milliseconds that a change by another replica may take to be seen here; a turn must not pay a transaction for each resolve. */
const freshMs = 1_000;
const keptAccounts = 10_000;

type Said = ReadonlyMap<string, EffectPolicies>;
/** Null takes the word back. */
export type PolicyChange = Readonly<Partial<Record<ToolEffect, ToolPolicy | null>>>;

/** What operator and admins said of profiles. The only SQL about it. */
@Injectable()
export class PoliciesStore {
  readonly #recent = new LRUCache<string, Promise<(profile: Profile) => PolicyWords>>({ max: keptAccounts, ttl: freshMs });

  constructor(private readonly dataSource: DataSource) {}

  /** For an account, or for the house alone; at most a second old. */
  async recent(account?: string): Promise<PolicyOf> {
    const words = await this.recentWords(account);
    return (profile, effect) => decidePolicy(effect, words(profile));
  }

  recentWords(account?: string): Promise<(profile: Profile) => PolicyWords> {
    const name = account ?? 'house';
    const kept = this.#recent.get(name);
    if (kept) return kept;
    const reading = this.read(account);
    this.#recent.set(name, reading);
    // A failed read is an answer to those who asked and no reason to fail for a second.
    reading.catch(() => this.#recent.delete(name));
    return reading;
  }

  /** The operator's word, for all accounts. @returns it as a whole, and what holds */
  async setForHouse({ name, policy: profile }: Profile, change: PolicyChange, actor: Actor): Promise<PolicyWords> {
    const words = await this.changing((sql) => sql.transaction((inside) => this.change(inside, { name, change, actor, account: null })));
    return { profile, operator: words };
  }

  /**
   * An account's word, for itself.
   *
   * @param check throws where the words may not stand; then nothing is written
   */
  async setForAccount(account: string, { name, policy: profile }: Profile, change: PolicyChange, actor: Actor, check: (words: PolicyWords) => void): Promise<PolicyWords> {
    return this.changing(() =>
      inAccount(this.dataSource, account, async (inside) => {
        const admin = await this.change(inside, { name, change, actor, account });
        const words: PolicyWords = { profile, admin, operator: (await saidIn(inside, 'profile_policies', name)).get(name) };
        check(words);
        return words;
      }),
    );
  }

  private async change(
    inside: EntityManager,
    { name, change, actor, account }: { name: string; change: PolicyChange; actor: Actor; account: string | null },
  ): Promise<EffectPolicies> {
    const table = account === null ? 'profile_policies' : 'account_policies';
    // Two who change one profile at once must each see what the other left, in the audit log too.
    await inside.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`skillgate policy ${account ?? 'house'} ${name}`]);
    const before = (await saidIn(inside, table, name)).get(name) ?? {};
    for (const [effect, policy] of Object.entries(change)) {
      await inside.query(`DELETE FROM ${table} WHERE profile = $1 AND effect = $2`, [name, effect]);
      if (policy === null) continue;
      if (account === null) await inside.query('INSERT INTO profile_policies (profile, effect, policy) VALUES ($1, $2, $3)', [name, effect, policy]);
      else await inside.query('INSERT INTO account_policies (account, profile, effect, policy) VALUES ($1, $2, $3, $4)', [account, name, effect, policy]);
    }
    const after = (await saidIn(inside, table, name)).get(name) ?? {};
    const action = account === null ? 'set-profile-policy' : 'tighten-profile-policy';
    await recordAudit(inside, { account, actor, action, target: name, before, after });
    return after;
  }

  private async read(account: string | undefined): Promise<(profile: Profile) => PolicyWords> {
    const [operator, admin] = await this.reaching(async () => {
      if (account === undefined) return [await saidIn(this.dataSource.manager, 'profile_policies'), new Map() as Said];
      return inAccount(this.dataSource, account, async (sql) => [await saidIn(sql, 'profile_policies'), await saidIn(sql, 'account_policies')]);
    });
    return ({ name, policy: profile }) => ({ profile, operator: operator!.get(name), admin: admin!.get(name) });
  }

  private async changing<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.reaching(work);
    } finally {
      this.#recent.clear(); // also when the word of the commit was lost on the way
    }
  }

  private async reaching<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.manager);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

/** By profile. Of `account_policies` the rows of the transaction's account alone are seen. */
async function saidIn(sql: EntityManager, table: 'profile_policies' | 'account_policies', profile?: string): Promise<Said> {
  const rows = (await sql.query(`SELECT profile, effect, policy FROM ${table} WHERE $1::text IS NULL OR profile = $1`, [profile ?? null])) as {
    profile: string;
    effect: ToolEffect;
    policy: ToolPolicy;
  }[];
  const said = new Map<string, EffectPolicies>();
  for (const row of rows) said.set(row.profile, { ...said.get(row.profile), [row.effect]: row.policy });
  return said;
}
