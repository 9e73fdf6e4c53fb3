import { entitlements, type Entitlements } from '@skillgate/contracts/entitlements';
import { LRUCache } from 'lru-cache';
import type { DataSource, QueryRunner } from 'typeorm';
import { inAccount } from './account-scope.js';
import { createIdFunction, grantToService, protectByAccount } from './policies.js';

/** Where a service keeps what it was told of accounts; for its migration. */
export async function createEntitlements(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE entitlements (
    account uuid PRIMARY KEY,
    policy_epoch int NOT NULL,
    facts jsonb NOT NULL,
    told_at timestamptz NOT NULL DEFAULT now())`);
  await protectByAccount(runner, 'entitlements');
  await grantToService(runner, 'entitlements', ['SELECT', 'INSERT', 'UPDATE']);
  await createIdFunction(runner, 'entitlements_begun', {
    returns: { accounts: 'bigint' },
    query: 'SELECT count(*) FROM (SELECT 1 FROM entitlements LIMIT 1) one',
  });
}

export async function dropEntitlements(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION entitlements_begun');
  await runner.query('DROP TABLE entitlements');
}

/**
 * Milliseconds that facts stay in memory. Changes come earlier, by `note`; this bounds what a replica that started between an
 * event and its row can have missed. When it is over the row is read, and accounts is not asked.
 */
const keptMs = 30_000;
const keptAccounts = 10_000;

/**
 * What accounts may use, as a service that does not own it knows it: in memory, behind that in its own table, behind that
 * from accounts themselves. Of two facts about an account the one with the higher policy epoch counts, in whatever order
 * they come.
 */
export class EntitlementsProjection {
  readonly #kept = new LRUCache<string, Entitlements>({ max: keptAccounts, ttl: keptMs });
  readonly #asked = new Map<string, Promise<Entitlements>>();

  /** @param ask reads from accounts, at least as new as the epoch */
  constructor(
    private readonly dataSource: DataSource,
    private readonly ask: (account: string, minEpoch: number) => Promise<Entitlements>,
  ) {}

  /**
   * Facts at least as new as `minEpoch`. Accounts is asked only when they are unknown or older here; what it answers is stored.
   *
   * @throws what `ask` throws, and unavailable `database-down` or `database-busy`
   */
  async of(account: string, minEpoch: number): Promise<Entitlements> {
    const kept = this.#kept.get(account);
    if (kept && kept.policyEpoch >= minEpoch) return kept;
    const key = `${account}/${minEpoch}`;
    const asked = this.#asked.get(key) ?? this.lookUp(account, minEpoch).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /** Stores facts, unless newer ones are there. @returns whether they were news */
  async apply(facts: Entitlements): Promise<boolean> {
    const { account, policyEpoch } = facts;
    const written = await inAccount(this.dataSource, account, (sql) =>
      sql.query(
        `INSERT INTO entitlements AS known (account, policy_epoch, facts) VALUES ($1, $2, $3)
         ON CONFLICT (account) DO UPDATE SET policy_epoch = excluded.policy_epoch, facts = excluded.facts, told_at = now()
         WHERE known.policy_epoch < excluded.policy_epoch RETURNING 1`,
        [account, policyEpoch, JSON.stringify(facts)],
      ),
    );
    this.note(facts);
    return (written as unknown[]).length > 0;
  }

  /** Replaces older facts in the memory of this replica. @returns the newer ones */
  note(facts: Entitlements): Entitlements {
    const kept = this.#kept.get(facts.account);
    if (kept && kept.policyEpoch >= facts.policyEpoch) return kept;
    this.#kept.set(facts.account, facts);
    return facts;
  }

  /** Whether the table knows no account at all. */
  async isEmpty(): Promise<boolean> {
    const [row] = (await this.dataSource.query('SELECT accounts FROM entitlements_begun()')) as { accounts: string }[];
    return row?.accounts === '0';
  }

  private async lookUp(account: string, minEpoch: number): Promise<Entitlements> {
    const stored = await this.stored(account);
    if (stored && stored.policyEpoch >= minEpoch) return this.note(stored);
    const told = await this.ask(account, minEpoch);
    await this.apply(told);
    return told;
  }

  private async stored(account: string): Promise<Entitlements | undefined> {
    const [row] = (await inAccount(this.dataSource, account, (sql) =>
      sql.query('SELECT facts FROM entitlements WHERE account = $1', [account]),
    )) as {
      facts: unknown;
    }[];
    return row && entitlements.parse(row.facts);
  }
}
