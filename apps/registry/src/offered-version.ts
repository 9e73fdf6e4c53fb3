import { LRUCache } from 'lru-cache';
import type { ApprovedTool } from './approved-tool.js';
import type { JudgedTool } from './judge-tool.js';
import { schemaAccepts } from './schema-accepts.js';

export interface OfferedVersion {
  readonly tool: ApprovedTool;
  /**
   * `serving`: whichever instance a call reaches, it takes what was approved. `changed`: none announces what was approved, or one that was
   * not approved would not take it. `mixed`: approved versions run side by side that do not take each other's arguments.
   */
  readonly liveness: 'serving' | 'changed' | 'mixed' | 'away';
}

/**
 * The manifest of a tool that models are offered now. A call goes to any living instance of its executor, and nobody can say to which; so
 * that while several versions run, the newest approved one is offered that every one of them takes.
 *
 * @param approved manifests of one tool, the newest approval first; at least one
 * @param announced what living instances of its executor say of it, each manifest once
 */
export function offeredVersion(approved: readonly ApprovedTool[], announced: readonly JudgedTool[]): OfferedVersion {
  const newest = approved[0]!;
  if (announced.length === 0) return { tool: newest, liveness: 'away' };
  // A quarantined announcement opens nothing, whatever digest it claims.
  const alive = approved.filter(({ schemaDigest }) => announced.some((one) => !one.fault && one.schemaDigest === schemaDigest));
  const fitting = alive.find((candidate) => announced.every((version) => takes(version, candidate)));
  if (fitting) return { tool: fitting, liveness: 'serving' };
  const allApproved = announced.every((one) => !one.fault && approved.some(({ schemaDigest }) => one.schemaDigest === schemaDigest));
  return { tool: alive[0] ?? newest, liveness: alive.length > 0 && allApproved ? 'mixed' : 'changed' };
}

const known = new LRUCache<string, boolean>({ max: 1_000 });

/** Would an instance of that version do with the candidate's arguments what the operator approved? */
function takes(version: JudgedTool, candidate: ApprovedTool): boolean {
  if (version.schemaDigest === candidate.schemaDigest) return !version.fault;
  if (version.effect !== candidate.effect || version.profile !== candidate.profile) return false;
  // A digest that was forged would stand for another schema: such a version is asked about by its schema each time.
  if (version.fault) return schemaAccepts(version.inputSchema, candidate.inputSchema);
  const key = `${version.schemaDigest}/${candidate.schemaDigest}`;
  let answer = known.get(key);
  if (answer === undefined) known.set(key, (answer = schemaAccepts(version.inputSchema, candidate.inputSchema)));
  return answer;
}
