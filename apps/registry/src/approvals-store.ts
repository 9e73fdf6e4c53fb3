import { Injectable } from '@nestjs/common';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import { manifestApproved } from '@skillgate/contracts/events/registry';
import { recordAudit } from '@skillgate/store/audit';
import { asHouseError } from '@skillgate/store/database-errors';
import { enqueue } from '@skillgate/store/enqueue';
import { DataSource, type EntityManager } from 'typeorm';
import { newestOfEach, type ApprovedTool } from './approved-tool.js';
import { distinctName } from './distinct-name.js';
import { ApprovedToolRow } from './entities.js';

/** Milliseconds that an approval of another replica may take to be seen here; a turn must not pay a read for each resolve. */
const freshMs = 1_000;

export type NewApproval = Omit<ApprovedTool, 'tool' | 'executor' | 'approvedBy' | 'approvedAt'>;

const order = { tool: 'ASC', approvedAt: 'DESC' } as const;

/** What operators approved. */
@Injectable()
export class ApprovalsStore {
  #recent: { readonly tools: Promise<ApprovedTool[]>; readonly until: number } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** As `all`, at most a second old. */
  recent(): Promise<ApprovedTool[]> {
    if (!this.#recent || this.#recent.until < Date.now()) {
      const tools = this.all();
      this.#recent = { tools, until: Date.now() + freshMs };
      // A failed read is an answer to those who asked and no reason to fail for a second.
      tools.catch(() => (this.#recent = undefined));
    }
    return this.#recent.tools;
  }

  /** By name, the newest approval of each first. */
  all(): Promise<ApprovedTool[]> {
    return this.reaching((sql) => sql.find(ApprovedToolRow, { order }));
  }

  /**
   * All tools of one executor, or none; the house is told in the same commit, and the audit log. A tool that another executor's has the
   * name of gets one of its own.
   *
   * @returns the names that models know, in the order of the tools
   */
  approve(executor: string, { actor, by }: { actor: Actor; by: string }, tools: readonly NewApproval[]): Promise<string[]> {
    return this.change(executor, { actor, by, action: 'approve-manifest' }, async (sql, at) => {
      const names = await giveNames(sql, executor, tools.map(({ ownName }) => ownName));
      const rows = tools.map((tool) => ({ ...tool, tool: names.get(tool.ownName)!, executor, approvedBy: by, approvedAt: at }));
      await sql.save(ApprovedToolRow, rows);
      return rows.map(({ tool }) => tool);
    });
  }

  /** Takes approvals back; names stay given. @returns how many there were */
  withdraw(executor: string, { actor, by }: { actor: Actor; by: string }, tools: readonly { name: string; schemaDigest: string }[]): Promise<number> {
    return this.change(executor, { actor, by, action: 'withdraw-approval' }, async (sql) => {
      const where = tools.map(({ name: ownName, schemaDigest }) => ({ executor, ownName, schemaDigest }));
      return (await sql.delete(ApprovedToolRow, where)).affected ?? 0;
    });
  }

  private async change<T>(executor: string, { actor, by, action }: { actor: Actor; by: string; action: AuditAction }, work: (sql: EntityManager, at: Date) => Promise<T>): Promise<T> {
    const done = await this.reaching((sql) =>
      sql.transaction(async (inside) => {
        // Two operators who approve at once must not both find a name free, and the later one's event must be the later.
        await inside.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate approvals', 0))`);
        const standing = () => inside.find(ApprovedToolRow, { where: { executor }, order });
        const before = (await standing()).map(inShort);
        const [{ at }] = (await inside.query('SELECT clock_timestamp() AS at')) as [{ at: Date }]; // one clock for all replicas
        const result = await work(inside, at);
        const approved = await standing();
        await recordAudit(inside, { account: null, actor, action, target: executor, before, after: approved.map(inShort) });
        const told = { executor, tools: newestOfEach(approved).map(inShort), by, approvedAt: at.toISOString() };
        await enqueue(inside, manifestApproved, told, { aggregate: executor });
        return result;
      }),
    );
    this.#recent = undefined;
    return done;
  }

  private async reaching<T>(work: (sql: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.manager);
    } catch (error) {
      throw asHouseError(error);
    }
  }
}

async function giveNames(sql: EntityManager, executor: string, ownNames: readonly string[]): Promise<Map<string, string>> {
  const given = (await sql.query('SELECT tool, executor, own_name AS "ownName" FROM tool_names')) as { tool: string; executor: string; ownName: string }[];
  const taken = new Set(given.map(({ tool }) => tool));
  const names = new Map(given.filter((one) => one.executor === executor).map(({ ownName, tool }) => [ownName, tool]));
  for (const ownName of ownNames) {
    if (names.has(ownName)) continue;
    const tool = distinctName(ownName, executor, (name) => taken.has(name));
    await sql.query('INSERT INTO tool_names (tool, executor, own_name) VALUES ($1, $2, $3)', [tool, executor, ownName]);
    names.set(ownName, tool);
    taken.add(tool);
  }
  return names;
}

const inShort = ({ tool: name, profile, effect, schemaDigest }: ApprovedToolRow) => ({ name, profile, effect, schemaDigest });
