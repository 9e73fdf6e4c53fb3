import type { LivingInstance } from './announcements.js';
import type { ApprovedTool } from './approved-tool.js';
import type { JudgedTool } from './judge-tool.js';
import { offeredVersion, type OfferedVersion } from './offered-version.js';

/** Approvals beside what is announced now, indexed for one decision. */
export interface ServedTools {
  /** By the name that models know: the manifest that is offered now. */
  approved(tool: string): ApprovedTool | undefined;
  /** Names of the approved tools of a profile, by name. */
  approvedIn(profile: string): readonly string[];
  /** Of a manifest that `approved` gave. */
  liveness(tool: ApprovedTool): OfferedVersion['liveness'];
  /** Is there a living, sound announcement of this name? */
  isAnnounced(tool: string): boolean;
  /** What executors announce under this name, sound or quarantined, each executor once. */
  announcedBy(tool: string): readonly { executor: string; tool: JudgedTool }[];
}

/** @param approved the newest manifest of each tool first */
export function servedTools(approved: readonly ApprovedTool[], living: readonly LivingInstance[]): ServedTools {
  const byTool = new Map<string, ApprovedTool[]>();
  for (const one of approved) byTool.set(one.tool, [...(byTool.get(one.tool) ?? []), one]);
  const names = [...byTool.keys()].sort();
  const announced = new Map<string, Map<string, JudgedTool>>();
  const proposals = new Set<string>();
  for (const { executor, tools } of living) {
    for (const tool of tools) {
      const key = `${executor}/${tool.name}`;
      const versions = announced.get(key) ?? new Map<string, JudgedTool>();
      // A sound announcement and a forged one may claim one digest: both count.
      announced.set(key, versions.set(`${tool.schemaDigest}${tool.fault ? '!' : ''}`, tool));
      if (!tool.fault) proposals.add(tool.name);
    }
  }
  const offers = new Map<string, OfferedVersion>();
  const offer = (name: string): OfferedVersion | undefined => {
    const versions = byTool.get(name);
    if (versions && !offers.has(name)) {
      const { executor, ownName } = versions[0]!;
      offers.set(name, offeredVersion(versions, [...(announced.get(`${executor}/${ownName}`)?.values() ?? [])]));
    }
    return offers.get(name);
  };
  return {
    approved: (tool) => offer(tool)?.tool,
    approvedIn: (profile) => names.filter((name) => offer(name)!.tool.profile === profile),
    isAnnounced: (tool) => proposals.has(tool),
    announcedBy: (name) => {
      const found = living.flatMap(({ executor, tools }) => tools.filter((tool) => tool.name === name).map((tool) => [executor, { executor, tool }] as const));
      return [...new Map(found).values()];
    },
    liveness: ({ tool }) => offer(tool)?.liveness ?? 'away',
  };
}
