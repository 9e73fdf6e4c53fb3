import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource } from 'typeorm';
import { holdAccount } from './change-facts.js';
import { AccountRow } from './entities.js';
import { selectFacts } from './facts-store.js';
import { acrossAccounts } from './platform-scope.js';
import { tellFacts } from './tell-facts.js';
import { actorOfVersion, requireTier } from './tiers-store.js';

/** Accounts that are looked up at once. */
const batch = 100;
/** Accounts that follow side by side, each in a transaction and with a connection of its own. */
const sideBySide = 4;
/** Milliseconds between two looks for accounts that a dead replica left behind, or a tier that was changed by SQL. */
const lookEveryMs = 10_000;

/**
 * Brings accounts to the newest version of their tier, one by one: epoch, event and audit entry are of the account's own
 * transaction. What is left when a replica dies, any replica finds.
 */
@Injectable()
export class FollowTiers implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOG) private readonly log: Pick<Log, 'info' | 'warn'>,
  ) {}

  onApplicationBootstrap(): void {
    const look = () => {
      this.#looking = this.follow()
        .then(({ following }) => following > 0 && this.log.info({ accounts: following }, 'accounts followed a changed tier'))
        .catch((err: unknown) => this.log.warn({ err }, 'accounts could not follow a changed tier; the next look tries again'))
        .finally(() => !this.#stopped && (this.#timer = setTimeout(look, lookEveryMs)));
    };
    look();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /**
   * @param tier all tiers when absent
   * @param untilMs milliseconds since the epoch at which it leaves the rest to the next look
   * @returns accounts that moved here, and whether all have
   */
  async follow(tier?: string, untilMs = Infinity): Promise<{ following: number; done: boolean }> {
    let [following, last] = [0, null as string | null];
    while (!this.#stopped) {
      const query = 'SELECT account FROM accounts_behind($1, $2, $3)';
      const found = (await acrossAccounts(this.dataSource, query, [tier ?? null, last, batch])) as { account: string }[];
      if (found.length === 0) return { following, done: true };
      last = found.at(-1)!.account;
      const waiting = found.map(({ account }) => account);
      const worker = async () => {
        for (let account = waiting.shift(); account && !this.#stopped; account = waiting.shift()) {
          if (await this.move(account)) following += 1;
          if (Date.now() >= untilMs) return;
        }
      };
      await Promise.all(Array.from({ length: sideBySide }, worker));
      if (Date.now() >= untilMs) break;
    }
    return { following, done: false };
  }

  /** How many accounts have not followed yet. */
  async behind(tier: string): Promise<number> {
    const query = 'SELECT count(*) AS accounts FROM accounts_behind($1, NULL, NULL)';
    const [row] = (await acrossAccounts(this.dataSource, query, [tier])) as { accounts: string }[];
    return Number(row?.accounts);
  }

  /** @returns false when somebody else moved it in the meantime */
  private move(account: string): Promise<boolean> {
    return inAccount(this.dataSource, account, async (sql) => {
      const row = await holdAccount(sql, account);
      const { revision } = await requireTier(sql, row.tier);
      if (row.tierRevision === revision) return false;
      const before = await selectFacts(sql, account);
      await sql.update(AccountRow, { id: account }, { tierRevision: revision, policyEpoch: row.policyEpoch + 1 });
      const after = await selectFacts(sql, account);
      await recordAudit(sql, {
        ...{ account, actor: await actorOfVersion(sql, row.tier, revision), action: 'follow-tier', target: row.tier },
        before: rightsOf(before),
        after: rightsOf(after),
      });
      await tellFacts(sql, after);
      return true;
    });
  }
}

const rightsOf = ({ entitlements: { capabilities, limits } }: Awaited<ReturnType<typeof selectFacts>>) => ({ capabilities, limits });
