// Proves: a chat that one model began goes on with another: its tools, its instructions and the calls of its past as that one takes them.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import type { HistoryItem } from '@skillgate/prompt/history';
import { renderSchemas } from '@skillgate/prompt/expose';
import { chatOf, entryOf, modelOf, skillOf, toolOf } from './spec-support/facts.js';
import { TurnWorld } from './spec-support/turn-world.js';

let world: TurnWorld;
beforeEach(async () => {
  world = await TurnWorld.start();
  world.wire.on(prepareTurnCall, () => ({ toolsAllowed: true, entries: [entryOf('memo')], always: [], loaded: [skillOf('memo')], withheld: [], policyEpoch: 1 }));
});
afterEach(() => world.model.close());

const { slug, version, digest, source, instructions } = skillOf('memo');
const past = (plan: 'expand' | 'dispatch'): HistoryItem[] => [
  { kind: 'user', content: 'Read both.' },
  { kind: 'assistant', text: '', calls: [{ id: 'call_1', name: 'load_skill', arguments: '{"slug":"memo"}' }] },
  { kind: 'result', callId: 'call_1', content: '{"loaded":"memo@1.0.0"}' },
  { kind: 'loaded', skills: [{ slug, version, digest, source, instructions }], callIds: { memo: 'call_1' }, ...(plan === 'dispatch' && { schemas: renderSchemas([toolOf('docs_read')]) }) },
  {
    kind: 'assistant',
    text: '',
    calls: ['a', 'b'].map((id) => (plan === 'dispatch' ? { id, name: 'call_tool', arguments: '{"name":"docs_read","arguments":{"n":1}}' } : { id, name: 'docs_read', arguments: '{"n":1}' })),
  },
  { kind: 'result', callId: 'a', content: 'A' },
  { kind: 'result', callId: 'b', content: 'B' },
  { kind: 'assistant', text: 'Both read.', calls: [] },
  { kind: 'user', content: 'Once more.' },
];

it('from dispatch to a careful model in expand', async () => {
  const entry = modelOf({ plan: 'expand', instructions: 'tool-result', parallelCalls: false });
  const outcome = await world.run([{ toolCalls: [{ name: 'docs_read', arguments: { n: 1 } }] }, { text: 'Read.' }], { chat: chatOf({ history: past('dispatch') }), entry }).ended;
  expect(outcome).toMatchObject({ status: 'finished', answer: 'Read.' });
  const { messages, tools } = world.model.requests[0]!.json;
  expect(tools!.map((tool) => tool.function.name)).toEqual(['load_skill', 'list_skills', 'search_chats', 'fetch_image', 'docs_read']);
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  expect(messages.flatMap(({ tool_calls: calls }) => (calls ?? []) as { function: { name: string } }[]).map((call) => call.function.name)).toEqual(['load_skill', 'docs_read', 'docs_read']);
  expect(messages[3]!.content).toContain('How to do memo.');
});

it('from expand to a model in dispatch, which is shown the schemas of what is open', async () => {
  const entry = modelOf({ plan: 'dispatch' });
  const outcome = await world.run([{ toolCalls: [{ name: 'call_tool', arguments: { name: 'docs_read', arguments: { n: 1 } } }] }, { text: 'Read.' }], { chat: chatOf({ history: past('expand') }), entry }).ended;
  expect(outcome).toMatchObject({ status: 'finished', answer: 'Read.' });
  const { messages, tools } = world.model.requests[0]!.json;
  expect(tools!.map((tool) => tool.function.name)).toEqual(['load_skill', 'list_skills', 'search_chats', 'fetch_image', 'call_tool']);
  expect(messages.at(-1)!.content).toContain('"name":"docs_read"');
  expect(world.steps.find((step) => step.kind === 'tool')).toMatchObject({ tool: 'docs_read', decision: 'ok' });
});
