import type { ToolEffect } from '@skillgate/contracts/words';

/** What an operator approved: the row that makes a tool usable. */
export interface ApprovedTool {
  readonly executor: string;
  readonly tool: string;
  readonly profile: string;
  readonly effect: ToolEffect;
  readonly schemaDigest: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly timeoutMs: number;
  readonly approvedBy: string;
  readonly approvedAt: Date;
}
