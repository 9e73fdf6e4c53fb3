import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';

/** The profiles in which a tool of this executor stands approved. */
export interface Served {
  readonly executor: string;
  readonly profiles: readonly string[];
  /** ISO 8601; of two facts about an executor the later counts. */
  readonly approvedAt: string;
}

/** What the registry told of approvals. Errors: `unavailable` when the database is. */
export class ServedStore {
  constructor(private readonly dataSource: DataSource) {}

  async all(): Promise<{ served: Served[]; whole: boolean }> {
    return this.attempt(async (sql) => {
      const [{ whole }] = (await sql.query('SELECT EXISTS (SELECT 1 FROM served_profiles_whole) AS whole')) as [{ whole: boolean }];
      const rows = (await sql.query('SELECT executor, profiles, approved_at FROM served_profiles')) as {
        executor: string;
        profiles: string[];
        approved_at: Date;
      }[];
      return {
        whole,
        served: rows.map(({ executor, profiles, approved_at: at }) => ({ executor, profiles, approvedAt: at.toISOString() })),
      };
    });
  }

  apply({ executor, profiles, approvedAt }: Served): Promise<void> {
    return this.attempt((sql) => upsert(sql, { executor, profiles, approvedAt }));
  }

  /** All that the registry has: from here on events keep the table whole. */
  complete(served: readonly Served[]): Promise<void> {
    return this.attempt((manager) =>
      manager.transaction(async (sql) => {
        for (const one of served) await upsert(sql, one);
        await sql.query('INSERT INTO served_profiles_whole DEFAULT VALUES ON CONFLICT DO NOTHING');
      }),
    );
  }

  private async attempt<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.manager);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

async function upsert(sql: EntityManager, { executor, profiles, approvedAt }: Served): Promise<void> {
  await sql.query(
    `INSERT INTO served_profiles AS known (executor, profiles, approved_at) VALUES ($1, $2, $3)
     ON CONFLICT (executor) DO UPDATE SET profiles = excluded.profiles, approved_at = excluded.approved_at
     WHERE known.approved_at < excluded.approved_at`,
    [executor, profiles, approvedAt],
  );
}
