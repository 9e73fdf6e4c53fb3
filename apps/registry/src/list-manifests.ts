import { Injectable } from '@nestjs/common';
import type { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Announcements, type LivingInstance } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import type { ApprovedTool } from './approved-tool.js';
import { manifestState } from './manifest-state.js';

type Listed = CallAnswer<typeof listManifests>['executors'][number];

/** Every executor that speaks, or that an operator approved something of, with where each tool stands. */
@Injectable()
export class ListManifests {
  constructor(
    private readonly announcements: Announcements,
    private readonly approvals: ApprovalsStore,
  ) {}

  async list(): Promise<CallAnswer<typeof listManifests>> {
    return { executors: manifests(this.announcements.living(), await this.approvals.all()) };
  }
}

export function manifests(living: readonly LivingInstance[], approved: readonly ApprovedTool[]): Listed[] {
  const names = [...new Set([...living, ...approved].map(({ executor }) => executor))].sort();
  return names.map((executor) => {
    const instances = living.filter((one) => one.executor === executor);
    return {
      executor,
      version: instances[0]?.version ?? 'not heard',
      instances: instances.length,
      tools: [...announcedTools(executor, instances, approved), ...silentTools(executor, instances, approved)],
    };
  });
}

/** Instances of two versions may announce two manifests of one tool: both are shown, each once. */
function announcedTools(executor: string, instances: readonly LivingInstance[], approved: readonly ApprovedTool[]): Listed['tools'] {
  const seen = new Map(instances.flatMap(({ tools }) => tools.map((tool) => [`${tool.name}/${tool.schemaDigest}`, tool] as const)));
  return [...seen.values()].map((tool) => {
    const { name, profile, effect, schemaDigest } = tool;
    return { name, profile, effect, schemaDigest, ...manifestState(tool, executor, approved.find((row) => row.tool === name)) };
  });
}

function silentTools(executor: string, instances: readonly LivingInstance[], approved: readonly ApprovedTool[]): Listed['tools'] {
  const announced = new Set(instances.flatMap(({ tools }) => tools.map((tool) => tool.name)));
  return approved
    .filter((row) => row.executor === executor && !announced.has(row.tool))
    .map(({ tool: name, profile, effect, schemaDigest }) => ({
      name,
      profile,
      effect,
      schemaDigest,
      state: 'approved' as const,
      reason: 'no living instance announces it',
    }));
}
