import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { acknowledgeLoad } from '@skillgate/prompt/acknowledge-load';
import { baseTools } from '@skillgate/prompt/base-tools';
import { exposeTools } from '@skillgate/prompt/expose';
import type { HistoryItem } from '@skillgate/prompt/history';
import { measureRequest } from '@skillgate/prompt/ledger';
import { loadedTexts } from '@skillgate/prompt/loaded-block';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { Prefix } from '@skillgate/prompt/prefix';
import { project } from '@skillgate/prompt/project-history';
import type { ParsedSkill } from '@skillgate/skill-format/parse';

/** What is the same in every request that is measured. */
export interface Ground {
  readonly prefix: Prefix;
  readonly entry: ModelEntry;
  /** The monolith: every visible skill's instructions and every tool's definition. */
  readonly bodiesTokens: number;
  readonly allToolsTokens: number;
}

export interface Measured {
  /** Input tokens of the request as Skillgate sends it. */
  readonly tokens: number;
  /** Input tokens of the same request with all instructions and all tools in it. */
  readonly monolith: number;
}

const asked = (request: string): HistoryItem[] => [
  { kind: 'facts', text: 'Today is Monday, 2026-11-30 (UTC).' },
  { kind: 'user', content: request },
];

/** The first model call of a chat. */
export const firstCall = (ground: Ground, request: string): Measured => measure(ground, asked(request), []);

/** The call that follows on `load_skill`: instructions and tools are there, and the work begins. */
export function callAfterLoad(ground: Ground, request: string, skill: ParsedSkill, tools: readonly OpenedTool[]): Measured {
  const { slug, version, body } = skill;
  const opened = tools.filter(({ profile, name }) => skill.requires.profiles.includes(profile) || skill.requires.tools.includes(name));
  const ack = { skill: slug, version, profiles: skill.requires.profiles, tools: opened.map(({ name }) => name), withheld: [] };
  const history: HistoryItem[] = [
    ...asked(request),
    { kind: 'assistant', text: '', calls: [{ id: 'call_1', name: 'load_skill', arguments: JSON.stringify({ slug }) }] },
    { kind: 'result', callId: 'call_1', content: acknowledgeLoad(ack) },
    { kind: 'loaded', callIds: { [slug]: 'call_1' }, skills: [{ slug, version, digest: '0'.repeat(64), instructions: body, source: 'platform' }] },
  ];
  return measure(ground, history, opened);
}

function measure({ prefix, entry, bodiesTokens, allToolsTokens }: Ground, history: HistoryItem[], opened: readonly OpenedTool[]): Measured {
  const { tools } = exposeTools(entry.plan, opened, entry.dialect);
  const messages = project(prefix.text, history, entry);
  const ledger = measureRequest({ prefix, messages, tools, loadedTexts: loadedTexts(history, entry), monolith: { bodiesTokens, allToolsTokens } });
  const { base, catalog, loaded, conversation, monolith } = ledger;
  return { tokens: base + catalog + loaded + ledger.tools + conversation, monolith };
}

/** Definitions as they stand in a request. */
export const definitionsOf = (tools: readonly OpenedTool[]) => [
  ...baseTools,
  ...tools.map(({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } })),
];
