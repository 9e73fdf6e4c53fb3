import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { filePath, readSkillFile } from '@skillgate/contracts/calls/skill-versions';
import { refuse } from '@skillgate/contracts/refusal';
import { readSkillFileName } from '@skillgate/prompt/base-tools';
import { askedFor } from './asked-for.js';
import type { TurnContext } from './turn-context.js';

export { readSkillFileName };

/** No executor has it: the catalog answers, against the receipt of the load that opened it. */
const toolFor = ({ slug, version }: LoadedSkill): OpenedTool => ({
  name: readSkillFileName,
  description: 'Read a file that came with a loaded skill, where its instructions send you to one.',
  inputSchema: {
    type: 'object',
    properties: {
      skill: { type: 'string', description: 'The name of the loaded skill.' },
      path: { type: 'string', description: 'As its instructions write it, such as references/form.md.' },
    },
    required: ['skill', 'path'],
    additionalProperties: false,
  },
  profile: 'skillFiles',
  effect: 'read',
  executor: 'catalog',
  timeoutMs: 10_000,
  skill: `${slug}@${version}`,
});

/**
 * What the registry opened, and the tool for files behind what the first skill with files opened: in this place whether the skills were
 * opened one by one or all at once, so that what the model saw never moves.
 */
export function withSkillFiles(tools: readonly OpenedTool[], skills: readonly LoadedSkill[]): OpenedTool[] {
  const first = skills.findIndex(({ files = [] }) => files.length > 0);
  if (first < 0) return [...tools];
  const before = skills.slice(0, first + 1).map(askedFor);
  const place = tools.findLastIndex((tool) => before.some((asked) => asked.tool(tool))) + 1;
  return [...tools.slice(0, place), toolFor(skills[first]!), ...tools.slice(place)];
}

/** The text for the model. Refusals: those of the call; `skill-not-loaded`, `invalid-arguments`. */
export async function readLoadedFile({ wire, ticket, loaded, entry, signal }: TurnContext, { skill: slug, path }: Record<string, unknown>): Promise<string> {
  if (typeof slug !== 'string' || typeof path !== 'string' || path === '' || !filePath.safeParse(path).success) {
    throw refuse('invalid-arguments', `${readSkillFileName} needs "skill" and "path" as text, the path as the instructions write it.`);
  }
  const skill = loaded.find((one) => one.slug === slug);
  if (!skill) throw refuse('skill-not-loaded', `"${slug.slice(0, 100)}" is not loaded. Load it first with load_skill.`);
  const { text, bytes, cut } = await wire.call(readSkillFile, { ticket, receipt: skill.receipt, path, modelUsesTools: entry.usesTools }, { signal });
  return cut ? `${text}\n\n[Cut: the file has ${bytes} bytes, and this is its beginning. The rest cannot be read here.]` : text;
}
