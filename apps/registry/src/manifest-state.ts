import { canonicalJson } from '@skillgate/contracts/manifest-digest';
import type { ApprovedTool } from './approved-tool.js';
import type { JudgedTool } from './judge-tool.js';

export interface ManifestState {
  readonly state: 'approved' | 'proposed' | 'changed' | 'quarantined';
  readonly reason?: string;
}

/** Where an announced tool stands against what an operator approved under its name. */
export function manifestState(announced: JudgedTool, executor: string, approved: ApprovedTool | undefined): ManifestState {
  if (announced.fault) return { state: 'quarantined', reason: announced.fault.reason };
  if (!approved) return { state: 'proposed', reason: ['not approved by an operator yet', ...(announced.notes ?? [])].join('; ') };
  if (approved.executor !== executor) return { state: 'quarantined', reason: takenReason(announced.name, approved.executor) };
  if (approved.schemaDigest === announced.schemaDigest) return { state: 'approved' };
  return { state: 'changed', reason: `differs from what was approved: ${differences(approved, announced).join('; ')}` };
}

/** A second executor under the name would split the calls of one tool between two owners. */
export const takenReason = (tool: string, owner: string): string =>
  `"${tool}" belongs to the executor "${owner}"; a tool has one owner, choose another name`;

function differences(approved: ApprovedTool, announced: JudgedTool): string[] {
  const found: string[] = [];
  if (approved.effect !== announced.effect) found.push(`effect ${approved.effect} -> ${announced.effect}`);
  if (approved.profile !== announced.profile) found.push(`profile ${approved.profile} -> ${announced.profile}`);
  if (approved.description !== announced.description) found.push('another description');
  found.push(...schemaDifferences(approved.inputSchema, announced.inputSchema));
  return found;
}

function schemaDifferences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const [old, young] = [fieldsOf(before), fieldsOf(after)];
  const added = Object.keys(young).filter((name) => !(name in old));
  const removed = Object.keys(old).filter((name) => !(name in young));
  const changed = Object.keys(young).filter((name) => name in old && canonicalJson(old[name]) !== canonicalJson(young[name]));
  const words = [
    ...added.map((name) => `field ${name} added`),
    ...removed.map((name) => `field ${name} removed`),
    ...changed.map((name) => `field ${name} changed`),
  ];
  return words.length > 0 ? words : ['another input schema'];
}

const fieldsOf = (schema: Record<string, unknown>): Record<string, unknown> =>
  typeof schema.properties === 'object' && schema.properties !== null ? (schema.properties as Record<string, unknown>) : {};
