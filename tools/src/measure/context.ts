import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import { countTokens } from '@skillgate/prompt/count-tokens';
import { loadModels, modelEntry } from '@skillgate/prompt/models';
import { renderPrefix } from '@skillgate/prompt/prefix';
import type { ParsedSkill } from '@skillgate/skill-format/parse';
import { measureGrowth, type Growth } from './growth.js';
import { readLibrary } from './read-library.js';
import { callAfterLoad, definitionsOf, firstCall, type Ground, type Measured } from './requests.js';
import { servedTools } from './served-tools.js';

/** Tokens in o200k; reductions are shares from 0 to 1. */
export interface ContextEconomy {
  readonly skills: { visible: number; hidden: number; medianBody: number };
  readonly tools: { base: number; all: number };
  /** Profiles that an executor in this tree serves. */
  readonly profiles: number;
  readonly tokens: { catalog: number; bodies: number; baseTools: number; allTools: number; firstCall: number; monolith: number };
  readonly reduction: { catalog: number; tools: number; firstCall: number };
  readonly profilesDetail: readonly { id: string; tools: number; tokens: number }[];
  readonly flows: readonly ({ name: string; skill: string; toolsOpened: number } & Measured)[];
  readonly growth: readonly Growth[];
}

/** Typical work, by the skill that it loads. A flow whose profile nobody serves yet opens no tool, and its figure says so. */
const flows = [
  { name: 'documents', skill: 'document-drafting', request: 'Draft a two-page proposal for the new canteen as a Word file.' },
  { name: 'Slack', skill: 'slack-messaging', request: 'Tell the #launch channel that the release moved to Thursday.' },
  { name: 'analytics', skill: 'data-analysis', request: 'Which region lost the most customers last quarter? The CSV is attached.' },
];

const sizes = [55, 200, 1_000, 10_000];

/** What gating saves, for an account that may use everything: read from the packages and executors of this tree, no service needed. */
export function measureContext(root: string): ContextEconomy {
  const library = readLibrary(join(root, 'skills'));
  const visible = library.filter(({ hidden }) => !hidden);
  const tools = servedTools();
  const entries = visible.map(entryOf);
  const prefix = renderPrefix({ tools: true, entries });
  const bodies = visible.map(({ body }) => countTokens(body));
  const bodiesTokens = sum(bodies);
  const allToolsTokens = countTokens(JSON.stringify(definitionsOf(tools)));
  const baseTools = countTokens(JSON.stringify(definitionsOf([])));
  const catalog = countTokens(prefix.catalog);
  const entry = modelEntry(loadModels(readFileSync(join(root, 'libs/prompt/models.yaml'), 'utf8')), 'gpt-5');
  const ground: Ground = { prefix, entry, bodiesTokens, allToolsTokens };
  const first = firstCall(ground, flows[0]!.request);
  const profiles = [...new Set(tools.map(({ profile }) => profile))].sort();
  return {
    skills: { visible: visible.length, hidden: library.length - visible.length, medianBody: median(bodies) },
    tools: { base: definitionsOf([]).length, all: definitionsOf(tools).length },
    profiles: profiles.length,
    tokens: { catalog, bodies: bodiesTokens, baseTools, allTools: allToolsTokens, firstCall: first.tokens, monolith: first.monolith },
    reduction: { catalog: less(catalog, bodiesTokens), tools: less(baseTools, allToolsTokens), firstCall: less(first.tokens, first.monolith) },
    profilesDetail: profiles.map((id) => {
      const own = tools.filter(({ profile }) => profile === id);
      return { id, tools: own.length, tokens: countTokens(JSON.stringify(definitionsOf(own).slice(definitionsOf([]).length))) };
    }),
    flows: flows.map(({ name, skill: slug, request }) => {
      const skill = visible.find((each) => each.slug === slug);
      if (!skill) throw new Error(`skills/${slug} is gone; name another skill for the flow "${name}" in tools/src/measure/context.ts`);
      const toolsOpened = tools.filter(({ profile, name: tool }) => skill.requires.profiles.includes(profile) || skill.requires.tools.includes(tool)).length;
      return { name, skill: slug, toolsOpened, ...callAfterLoad(ground, request, skill, tools) };
    }),
    growth: measureGrowth(entries, sizes),
  };
}

const entryOf = ({ slug, description, requires }: ParsedSkill): CatalogEntry => ({ slug, description, group: requires.profiles[0]?.split('|')[0] ?? 'instructions alone' });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const less = (part: number, whole: number): number => Math.round((1 - part / whole) * 1_000) / 1_000;
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
