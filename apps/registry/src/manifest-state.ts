import type { ApprovedTool } from './approved-tool.js';
import type { JudgedTool } from './judge-tool.js';
import { manifestChanges, type ManifestChange } from './manifest-changes.js';

export interface ManifestState {
  readonly state: 'approved' | 'proposed' | 'changed' | 'quarantined';
  readonly reason?: string;
  readonly changes?: readonly ManifestChange[];
}

/**
 * Where an announced tool stands against what an operator approved of its executor under its name.
 *
 * @param approved the newest first
 * @param owner another executor that had the name first
 */
export function manifestState(announced: JudgedTool, approved: readonly ApprovedTool[], owner?: string): ManifestState {
  if (announced.fault) return { state: 'quarantined', reason: announced.fault.reason };
  const [newest] = approved;
  if (!newest) return { state: 'proposed', reason: ['not approved by an operator yet', ...(owner ? [namesake(announced.name, owner)] : [])].join('; ') };
  if (newest.schemaDigest === announced.schemaDigest) return { state: 'approved' };
  if (approved.some(({ schemaDigest }) => schemaDigest === announced.schemaDigest)) {
    return { state: 'approved', reason: 'a newer version of it is approved too, and is offered where every living instance takes it' };
  }
  const changes = manifestChanges(newest, announced);
  const words = [...changes.slice(0, maxNamed).map(inWords), ...(changes.length > maxNamed ? [`${changes.length - maxNamed} more places`] : [])];
  return { state: 'changed', reason: `differs from what was approved: ${words.join('; ')}`, changes };
}

/** The reason is read in one line; the changes have the rest. */
const maxNamed = 5;

const namesake = (tool: string, owner: string): string =>
  `"${tool}" of the executor "${owner}" was approved before: models will know this one by a name of its own`;

/** Long texts stand in the changes alone. */
function inWords({ what, before, after }: ManifestChange): string {
  if (before === null) return after === null ? what : `${what} added`;
  if (after === null) return `${what} removed`;
  return before.length + after.length > 60 ? `another ${what}` : `${what} ${before} -> ${after}`;
}
