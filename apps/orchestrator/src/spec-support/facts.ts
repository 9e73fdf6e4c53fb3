import type { CatalogEntry, LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { HeldGrant, OpenedTool, resolveTools } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { ModelEntry } from '@skillgate/prompt/models';
import { randomUUID } from 'node:crypto';
import type { ChatState, NewTurn } from '../turn-records.js';

/** Made-up facts for the specs of this room. */
export const entryOf = (slug: string, description = `Does ${slug}.`): CatalogEntry => ({ slug, description });

export const digestOf = (letter: string): string => letter.repeat(64);

/** A skill that needs the profile `docs` unless told otherwise. */
export const skillOf = (slug: string, change: Partial<LoadedSkill> = {}): LoadedSkill => ({
  slug,
  version: '1.0.0',
  digest: digestOf('a'),
  instructions: `How to do ${slug}.`,
  source: 'platform',
  requires: { capabilities: [], integrations: [], profiles: ['docs'], tools: [] },
  receipt: `receipt.of.${slug}`,
  ...change,
});

export const toolOf = (name: string, change: Partial<OpenedTool> = {}): OpenedTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  profile: 'docs',
  effect: 'read',
  executor: 'docs',
  timeoutMs: 5_000,
  skill: 'memo@1.0.0',
  ...change,
});

export const grantOf = (executor = 'docs', change: Partial<HeldGrant> = {}): HeldGrant => ({
  executor,
  grant: `grant.for.${executor}`,
  id: randomUUID(),
  expiresAt: Date.now() + 60_000,
  ...change,
});

type Resolved = CallOutput<typeof resolveTools>;

/** What the registry answers: these tools, their profiles and a grant for each executor. */
export function resolvedOf(tools: OpenedTool[], change: Partial<Resolved> = {}): Resolved {
  const profiles = [...new Set(tools.map(({ profile }) => profile))].map((name) => ({ name, skill: 'memo@1.0.0' }));
  const grants = [...new Set(tools.map(({ executor }) => executor))].map((executor) => grantOf(executor));
  return { tools, profiles, grants, withheld: [], policyEpoch: 1, ...change };
}

export const modelOf = (change: Partial<ModelEntry> = {}): ModelEntry => ({
  id: 'scripted-model',
  contextTokens: 32_000,
  maxOutputTokens: 4_000,
  usesTools: true,
  parallelCalls: true,
  instructions: 'system-message',
  plan: 'expand',
  cacheKey: false,
  prices: null,
  ...change,
});

export const turnOf = (change: Partial<NewTurn> = {}): NewTurn => ({
  turn: randomUUID(),
  account: randomUUID(),
  user: randomUUID(),
  chat: randomUUID(),
  model: 'scripted-model',
  plan: 'expand',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  items: [{ kind: 'user', content: 'Go.' }],
  stateful: false,
  attempt: 1,
  ...change,
});

export const chatOf = (change: Partial<ChatState> = {}): ChatState => ({
  prefix: null,
  prefixHash: null,
  prefixTools: null,
  announced: [],
  pinned: [],
  epoch: 0,
  history: [{ kind: 'user', content: 'Go.' }],
  ...change,
});

export const outcomeOf = (change: Partial<TurnOutcome> = {}): TurnOutcome => ({
  status: 'finished',
  answer: 'Done.',
  finishReason: 'stop',
  error: null,
  artifacts: [],
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
  ...change,
});
