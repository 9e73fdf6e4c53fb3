import type { LivingInstance } from './announcements.js';
import type { ApprovedTool } from './approved-tool.js';

/** Approvals beside what is announced now, indexed for one decision. */
export interface ServedTools {
  approved(tool: string): ApprovedTool | undefined;
  /** Names of the approved tools of a profile, by name. */
  approvedIn(profile: string): readonly string[];
  /** `serving`: a living instance announces exactly what was approved. */
  liveness(tool: ApprovedTool): 'serving' | 'changed' | 'away';
  /** Is there a living, sound announcement of this name? */
  isAnnounced(tool: string): boolean;
}

export function servedTools(approved: readonly ApprovedTool[], living: readonly LivingInstance[]): ServedTools {
  const byTool = new Map(approved.map((one) => [one.tool, one]));
  const names = [...byTool.keys()].sort();
  const digests = new Set<string>();
  const announced = new Set<string>();
  const proposals = new Set<string>();
  for (const { executor, tools } of living) {
    for (const { name, schemaDigest, fault } of tools) {
      announced.add(`${executor}/${name}`);
      // A quarantined announcement opens nothing, whatever digest it claims.
      if (fault) continue;
      digests.add(`${executor}/${name}/${schemaDigest}`);
      proposals.add(name);
    }
  }
  return {
    approved: (tool) => byTool.get(tool),
    approvedIn: (profile) => names.filter((name) => byTool.get(name)!.profile === profile),
    isAnnounced: (tool) => proposals.has(tool),
    liveness: ({ executor, tool, schemaDigest }) => {
      if (digests.has(`${executor}/${tool}/${schemaDigest}`)) return 'serving';
      return announced.has(`${executor}/${tool}`) ? 'changed' : 'away';
    },
  };
}
