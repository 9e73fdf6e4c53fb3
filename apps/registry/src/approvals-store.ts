import { Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import { manifestApproved } from '@skillgate/contracts/events/registry';
import { recordAudit } from '@skillgate/store/audit';
import { asHouseError } from '@skillgate/store/database-errors';
import { enqueue } from '@skillgate/store/enqueue';
import { DataSource, type EntityManager } from 'typeorm';
import type { ApprovedTool } from './approved-tool.js';
import { ApprovedToolRow } from './entities.js';

/** Milliseconds that an approval of another replica may take to be seen here; a turn must not pay a read for each resolve. */
const freshMs = 1_000;

/** What operators approved. */
@Injectable()
export class ApprovalsStore {
  #recent: { readonly tools: Promise<ApprovedTool[]>; readonly until: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Every approved tool by name, at most a second old. */
  recent(): Promise<ApprovedTool[]> {
    if (!this.#recent || this.#recent.until < Date.now()) {
      const tools = this.all();
      this.#recent = { tools, until: Date.now() + freshMs };
      // A failed read is an answer to those who asked and no reason to fail for a second.
      tools.catch(() => (this.#recent = undefined));
    }
    return this.#recent.tools;
  }

  all(): Promise<ApprovedTool[]> {
    return this.reaching((sql) => sql.find(ApprovedToolRow, { order: { tool: 'ASC' } }));
  }

  /**
   * All tools of one executor, or none; the house is told in the same commit, and the audit log.
   *
   * @returns those that another executor owns already; then nothing was written
   */
  async approve(
    executor: string,
    { actor, by }: { actor: Actor; by: string },
    tools: readonly Omit<ApprovedTool, 'executor' | 'approvedBy' | 'approvedAt'>[],
  ): Promise<ApprovedTool[]> {
    const taken = await this.reaching((sql) =>
      sql.transaction(async (inside) => {
        // Two operators who approve at once must not both find a name free, and the later one's event must be the later.
        await inside.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate approvals', 0))`);
        const rows = await inside.find(ApprovedToolRow, { order: { tool: 'ASC' } });
        const others = rows.filter((row) => row.executor !== executor && tools.some(({ tool }) => row.tool === tool));
        if (others.length > 0) return others;
        const [{ at: approvedAt }] = (await inside.query('SELECT clock_timestamp() AS at')) as [{ at: Date }]; // one clock for all replicas
        await inside.save(
          ApprovedToolRow,
          tools.map((tool) => ({ ...tool, executor, approvedBy: by, approvedAt })),
        );
        const approved = await inside.find(ApprovedToolRow, { where: { executor }, order: { tool: 'ASC' } });
        const told = approved.map(inShort);
        const before = rows.filter((row) => row.executor === executor).map(inShort);
        await recordAudit(inside, { account: null, actor, action: 'approve-manifest', target: executor, before, after: told });
        await enqueue(
          inside,
          manifestApproved,
          { executor, tools: told, by, approvedAt: approvedAt.toISOString() },
          { aggregate: executor },
        );
        return [];
      }),
    );
    this.#recent = undefined;
    return taken;
  }

  private async reaching<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.manager);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

const inShort = ({ tool: name, profile, effect, schemaDigest }: ApprovedToolRow) => ({ name, profile, effect, schemaDigest });
