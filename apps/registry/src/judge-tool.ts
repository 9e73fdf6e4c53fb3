import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import { faultOfText } from '@skillgate/contracts/plain-text';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import { baseToolNames, callToolName, readSkillFileName } from '@skillgate/prompt/base-tools';
import { brokenPattern } from './broken-pattern.js';
import { baseProfile, type Profiles } from './profiles.js';
import { schemaVerdict } from './shown-schema.js';

/** Why a tool cannot be approved as it was announced. */
export interface Fault {
  readonly slug: 'unknown-profile' | 'tool-quarantined';
  /** One sentence for the executor's author. */
  readonly reason: string;
}

export type JudgedTool = ToolManifest & {
  readonly fault?: Fault;
  /** What a model is not shown of the schema, or sees in another form. */
  readonly notes?: readonly string[];
};

/** Names that the turn itself answers to; a tool that took one would be called in its place. */
const ownNames = new Set([...baseToolNames, callToolName, readSkillFileName]);

/** Largest description and schema of one tool in bytes of JSON: a hundred of them must fit one answer of 256 KiB. */
const maxToolBytes = 24 * 1024;

/** Judges each tool alone: a bad one is quarantined with its reason and the others go on. */
export function judgeTools(tools: readonly ToolManifest[], profiles: Profiles): JudgedTool[] {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tools.map((tool) => {
    const fault = counts.get(tool.name)! > 1 ? quarantined('the name stands more than once in one announcement') : faultOf(tool, profiles);
    if (fault) return { ...tool, fault };
    const verdict = schemaVerdict(tool);
    if ('problem' in verdict) return { ...tool, fault: quarantined(verdict.problem) };
    return verdict.notes.length > 0 ? { ...tool, notes: verdict.notes } : tool;
  });
}

function faultOf(tool: ToolManifest, profiles: Profiles): Fault | undefined {
  const isBase = profiles.get(baseProfile)?.tools.includes(tool.name) ?? false;
  if (tool.profile === baseProfile && !isBase) return quarantined(`"${tool.name}" is none of the tools that need no skill; name the profile of a skill`);
  if (ownNames.has(tool.name) && !isBase) return quarantined(`"${tool.name}" is a name of the platform itself; choose another`);
  if (!profiles.get(tool.profile)) {
    return { slug: 'unknown-profile', reason: `there is no profile "${tool.profile}"; name one that profiles.yaml has` };
  }
  const home = profiles.homeOf(tool.name);
  if (home && home !== tool.profile) return quarantined(`"${tool.name}" belongs to the profile "${home}", not to "${tool.profile}"`);
  if (manifestDigest(tool) !== tool.schemaDigest) return quarantined('schemaDigest does not belong to this manifest; count it again');
  const unseen = faultOfText(tool.description);
  if (unseen) return quarantined(`the description ${unseen}`);
  const bytes = Buffer.byteLength(JSON.stringify([tool.description, tool.inputSchema]));
  if (bytes > maxToolBytes) return quarantined(`description and schema take ${bytes} bytes; at most ${maxToolBytes}`);
  const broken = brokenPattern(tool.inputSchema);
  return broken ? quarantined(broken) : undefined;
}

const quarantined = (reason: string): Fault => ({ slug: 'tool-quarantined', reason });
