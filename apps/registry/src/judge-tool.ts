import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import type { Profiles } from './profiles.js';

/** Why a tool cannot be approved as it was announced. */
export interface Fault {
  readonly slug: 'unknown-profile' | 'tool-quarantined';
  /** One sentence for the executor's author. */
  readonly reason: string;
}

export type JudgedTool = ToolManifest & { readonly fault?: Fault };

/** Names that the turn itself answers to; a tool that took one would be called in its place. */
const ownNames = new Set(['load_skill', 'list_skills', 'search_chats', 'fetch_image', 'call_tool']);

/** Largest description and schema of one tool in bytes of JSON: a hundred of them must fit one answer of 256 KiB. */
const maxToolBytes = 24 * 1024;

export interface JudgeFacts {
  readonly profiles: Profiles;
  /** Sentences on what model providers would refuse in this input schema. */
  readonly schemaProblems: (schema: ToolManifest['inputSchema']) => readonly string[];
}

/** Judges each tool alone: a bad one is quarantined with its reason and the others go on. */
export function judgeTools(tools: readonly ToolManifest[], facts: JudgeFacts): JudgedTool[] {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tools.map((tool) => {
    const fault = counts.get(tool.name)! > 1 ? quarantined('the name stands more than once in one announcement') : faultOf(tool, facts);
    return fault ? { ...tool, fault } : tool;
  });
}

function faultOf(tool: ToolManifest, { profiles, schemaProblems }: JudgeFacts): Fault | undefined {
  if (ownNames.has(tool.name)) return quarantined(`"${tool.name}" is a name of the platform itself; choose another`);
  if (!profiles.get(tool.profile)) {
    return { slug: 'unknown-profile', reason: `there is no profile "${tool.profile}"; name one that profiles.yaml has` };
  }
  const home = profiles.homeOf(tool.name);
  if (home && home !== tool.profile) return quarantined(`"${tool.name}" belongs to the profile "${home}", not to "${tool.profile}"`);
  if (manifestDigest(tool) !== tool.schemaDigest) return quarantined('schemaDigest does not belong to this manifest; count it again');
  const bytes = Buffer.byteLength(JSON.stringify([tool.description, tool.inputSchema]));
  if (bytes > maxToolBytes) return quarantined(`description and schema take ${bytes} bytes; at most ${maxToolBytes}`);
  const problems = schemaProblems(tool.inputSchema);
  return problems.length > 0 ? quarantined(problems.join('; ')) : undefined;
}

const quarantined = (reason: string): Fault => ({ slug: 'tool-quarantined', reason });
