// What a provider wants back is stored beside the call, opaque, and only what its model's entry names.
import { afterEach, expect, it } from '@jest/globals';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { askModel } from './ask-model.js';
import { modelClient } from './model-client.js';

let model: ScriptedModel;
afterEach(() => model.close());

const piece = (index: number, id: string, more: object = {}) => ({ index, id, type: 'function', function: { name: 'docs_read', arguments: '{}' }, ...more });

async function callsOf(keeps: string[], ...deltas: Record<string, unknown>[]) {
  model = await startScriptedModel([{ deltas, finish: 'tool_calls' }]);
  const client = modelClient({ SKILLGATE_MODEL_BASE_URL: model.url, SKILLGATE_MODEL_API_KEY: 'none' });
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello?' }], stream: true as const };
  return (await askModel(client, request, { signal: new AbortController().signal, stallMs: 5_000, onText: () => undefined, keeps })).calls;
}

it('keeps the fields that the entry names, by call and by answer, put together as they streamed', async () => {
  const calls = await callsOf(
    ['extra_content', 'reasoning_details', 'reasoning_content'],
    { reasoning_details: [{ n: 1 }], reasoning_content: 'Let me ' },
    { reasoning_details: [{ n: 2 }], reasoning_content: 'see.' },
    { tool_calls: [piece(0, 'a', { extra_content: { signature: 'x' }, other: 1 })] },
    { tool_calls: [piece(1, 'b')] },
  );
  expect(calls.map(({ provider }) => provider)).toEqual([
    { model: 'm', call: { extra_content: { signature: 'x' } }, message: { reasoning_details: [{ n: 1 }, { n: 2 }], reasoning_content: 'Let me see.' } },
    undefined,
  ]);
});

it('keeps nothing that the entry does not name, and gives every call an id of the house', async () => {
  const calls = await callsOf([], { reasoning_content: 'Hm.' }, { tool_calls: [piece(0, 'a', { extra_content: { signature: 'x' } })] }, { tool_calls: [piece(1, 'a2')] });
  expect(calls).toEqual([expect.not.objectContaining({ provider: expect.anything() }), expect.not.objectContaining({ provider: expect.anything() })]);
  for (const { id } of calls) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
});

it('keeps nothing that is longer than it is worth', async () => {
  const [call] = await callsOf(['extra_content'], { tool_calls: [piece(0, 'a', { extra_content: 'x'.repeat(300_000) })] });
  expect(call?.provider).toBeUndefined();
});
