import { Injectable } from '@nestjs/common';
import type { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Announcements, type LivingInstance } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import type { ApprovedTool } from './approved-tool.js';
import { definitionTokens } from './definition-tokens.js';
import { fitManifests } from './fit-manifests.js';
import { manifestState } from './manifest-state.js';

type Listed = CallAnswer<typeof listManifests>['executors'][number];

/** Every executor that speaks, or that an operator approved something of, with where each tool stands. */
@Injectable()
export class ListManifests {
  constructor(
    private readonly announcements: Announcements,
    private readonly approvals: ApprovalsStore,
  ) {}

  /** @param executor only this one; none is answered where nobody has its name */
  async list(executor?: string): Promise<CallAnswer<typeof listManifests>> {
    const approved = await this.approvals.all();
    return { executors: fitManifests(manifests(this.announcements.living(), approved, executor)) };
  }
}

export function manifests(living: readonly LivingInstance[], approved: readonly ApprovedTool[], only?: string): Listed[] {
  const names = [...new Set([...living, ...approved].map(({ executor }) => executor))].filter((name) => only === undefined || name === only).sort();
  const room = { changes: 200, notes: 200 };
  return names.map((executor) => {
    const instances = living.filter((one) => one.executor === executor);
    const refused = [...new Map(instances.flatMap(({ malformed = [] }) => malformed.map(({ name, problem }) => [name, { name, reason: problem }]))).values()];
    return {
      executor,
      version: instances[0]?.version ?? 'not heard',
      instances: instances.length,
      tools: [...announcedTools(executor, instances, approved, room), ...silentTools(executor, instances, approved)],
      ...(refused.length > 0 && { refused }),
      approvals: approved.filter((row) => row.executor === executor).map(approvalOf),
      ...(instances.length > 0 && { versions: [...new Set(instances.map(({ version }) => version))] }),
    };
  });
}

const approvalOf = ({ ownName: name, schemaDigest, approvedBy: by, approvedAt }: ApprovedTool) => ({ name, schemaDigest, by, approvedAt: approvedAt.toISOString() });

/** How many lines of each kind an answer has at most; `fitManifests` counts its bytes. */
interface ListRoom {
  changes: number;
  notes: number;
}

/** Instances of two versions may announce two manifests of one tool: both are shown, each once. */
function announcedTools(executor: string, instances: readonly LivingInstance[], approved: readonly ApprovedTool[], room: ListRoom): Listed['tools'] {
  const seen = new Map(instances.flatMap(({ tools }) => tools.map((tool) => [`${tool.name}/${tool.schemaDigest}`, tool] as const)));
  return [...seen.values()].map((tool) => {
    const { name, profile, effect, schemaDigest, description, fault, notes = [] } = tool;
    const own = approved.filter((row) => row.executor === executor && row.ownName === name);
    const owner = approved.find((row) => row.tool === name && row.executor !== executor)?.executor;
    const { changes = [], ...state } = manifestState(tool, own, owner);
    const shownAs = own[0]?.tool ?? name;
    const listed: Listed['tools'][number] = { name, profile, effect, schemaDigest, ...state };
    if (shownAs !== name) listed.shownAs = shownAs;
    if (!fault) listed.tokens = definitionTokens({ tool: shownAs, description, inputSchema: tool.inputSchema, schemaDigest });
    if (changes.length > 0 && changes.length <= room.changes) room.changes -= (listed.changes = [...changes]).length;
    const told = fewNotes(notes);
    if (told.length > 0 && told.length <= room.notes) room.notes -= (listed.notes = told).length;
    return listed;
  });
}

const maxNotes = 12;

const fewNotes = (notes: readonly string[]): string[] =>
  notes.length <= maxNotes ? [...notes] : [...notes.slice(0, maxNotes), `and ${notes.length - maxNotes} more of the kind`];

function silentTools(executor: string, instances: readonly LivingInstance[], approved: readonly ApprovedTool[]): Listed['tools'] {
  const announced = new Set(instances.flatMap(({ tools }) => tools.map((tool) => tool.name)));
  return approved
    .filter((row) => row.executor === executor && !announced.has(row.ownName))
    .map(({ tool, ownName: name, profile, effect, schemaDigest }) => ({
      ...{ name, profile, effect, schemaDigest },
      state: 'approved' as const,
      reason: 'no living instance announces it',
      ...(tool !== name && { shownAs: tool }),
    }));
}
