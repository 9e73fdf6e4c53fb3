import { Injectable } from '@nestjs/common';
import type { EventPayload } from '@skillgate/contracts/define-event';
import { executorJoined, executorLeft } from '@skillgate/contracts/events/registry';
import { asHouseError } from '@skillgate/store/database-errors';
import { enqueue } from '@skillgate/store/enqueue';
import { DataSource, type EntityManager } from 'typeorm';

/**
 * What the house was told of who is here. Every replica hears every heartbeat; the one whose statement changes the row tells
 * of it, so that a coming or going is one event.
 */
@Injectable()
export class PresenceStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Names of those that were told to be here. */
  async here(): Promise<Set<string>> {
    const rows = await this.reaching((sql) => sql.query('SELECT executor FROM executors WHERE here'));
    return new Set((rows as { executor: string }[]).map(({ executor }) => executor));
  }

  /** @returns whether it was news */
  joined(executor: string, version: string): Promise<boolean> {
    return this.reaching((manager) =>
      manager.transaction(async (sql) => {
        const [news] = (await sql.query(
          `INSERT INTO executors AS e (executor, here, version) VALUES ($1, true, $2)
           ON CONFLICT (executor) DO UPDATE SET here = true, version = excluded.version, since = now() WHERE NOT e.here
           RETURNING since`,
          [executor, version],
        )) as { since: Date }[];
        if (news) await enqueue(sql, executorJoined, { executor, version, at: news.since.toISOString() }, { aggregate: executor });
        return news !== undefined;
      }),
    );
  }

  /** @returns whether it was news */
  left(executor: string, why: EventPayload<typeof executorLeft>['why']): Promise<boolean> {
    return this.reaching((manager) =>
      manager.transaction(async (sql) => {
        const [[news]] = (await sql.query('UPDATE executors SET here = false, since = now() WHERE executor = $1 AND here RETURNING since', [
          executor,
        ])) as [{ since: Date }[], number];
        if (news) await enqueue(sql, executorLeft, { executor, why, at: news.since.toISOString() }, { aggregate: executor });
        return news !== undefined;
      }),
    );
  }

  private async reaching<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.manager);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}
