import { Injectable } from '@nestjs/common';
import { asHouseError } from '@skillgate/store/database-errors';
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

  /** All or none. @returns those that another executor owns already; then nothing was written */
  async approve(tools: readonly Omit<ApprovedTool, 'approvedAt'>[]): Promise<ApprovedTool[]> {
    const taken = await this.reaching((sql) =>
      sql.transaction(async (inside) => {
        // Two operators who approve at once must not both find a name free.
        await inside.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate approvals', 0))`);
        const rows = await inside.find(ApprovedToolRow);
        const others = rows.filter((row) => tools.some(({ tool, executor }) => row.tool === tool && row.executor !== executor));
        if (others.length > 0) return others;
        const approvedAt = new Date();
        await inside.save(ApprovedToolRow, tools.map((tool) => ({ ...tool, approvedAt })));
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
