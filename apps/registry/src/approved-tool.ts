import type { ToolEffect } from '@skillgate/contracts/words';

/** A manifest that an operator approved: the row that makes a tool usable. While an executor rolls over there are several of one tool. */
export interface ApprovedTool {
  readonly executor: string;
  /** The name that models know. */
  readonly tool: string;
  /** The name under which its executor announces it and is called; another one where two executors chose the same. */
  readonly ownName: string;
  readonly profile: string;
  readonly effect: ToolEffect;
  readonly schemaDigest: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly timeoutMs: number;
  readonly approvedBy: string;
  readonly approvedAt: Date;
}

/** The newest manifest of each tool, of a list that begins with the newest of each. */
export function newestOfEach(approved: readonly ApprovedTool[]): ApprovedTool[] {
  const seen = new Set<string>();
  return approved.filter(({ tool }) => !seen.has(tool) && seen.add(tool));
}
