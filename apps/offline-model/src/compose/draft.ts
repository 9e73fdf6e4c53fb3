import type { Document } from './document.js';
import type { Statement } from './statements.js';
import type { TableSummary } from './summarise-table.js';

/** A page in the making. */
export interface Draft {
  document: Document;
  statements: Statement[];
  ranked: { statement: Statement; weight: number }[];
  tables: TableSummary[];
  /** What stands on the page already; nothing is said twice. */
  used: Statement[];
  /** Words that still fit. */
  room: number;
  source: string[];
  /** Slips not told yet; undefined until somebody looked for them. */
  slips?: string[];
}
