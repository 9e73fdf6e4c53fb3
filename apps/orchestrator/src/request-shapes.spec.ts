// Each entry of models.yaml makes of one chat exactly the request that is recorded beside this file. SKILLGATE_PINS=write records anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import type { HistoryItem } from '@skillgate/prompt/history';
import { loadModels, type ModelEntry, modelEntry, modelsFile } from '@skillgate/prompt/models';
import { buildRequest, type ModelRequest } from './build-request.js';
import type { TurnContext } from './turn-context.js';

const models = loadModels(readFileSync(modelsFile, 'utf8'));

/** Which recorded request each model gets: every entry stands here, a pattern by an id that it fits. */
const shapes: Record<string, readonly string[]> = {
  'openai': ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-4o', 'gpt-4o-mini', 'openai/gpt-4.1-2025-04-14', 'gpt-4o-2024-08-06'],
  'openai-reasoning': ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'o3', 'o4-mini', 'gpt-5.1-2025-11-13', 'o3-2025-04-16', 'o4-mini-2025-04-16'],
  'openai-chat': ['gpt-5-chat-latest'],
  'offline': ['skillgate-offline'],
  'any-order': ['x-ai/grok-4'],
  'claude': ['claude-sonnet-4-5'],
  'gemini': ['gemini-3-pro'],
  'deepseek': ['deepseek-chat'],
  'careful-parallel': ['kimi-k2', 'glm-4.6', 'Qwen/Qwen3-8B', 'command-r-plus'],
  'careful': ['gpt-oss-20b', 'llama3.2:3b', 'granite3.3:8b', 'somebody/new-model'],
  'nine-letter-ids': ['mistral-small-latest', 'mixtral-8x7b', 'codestral-latest', 'devstral-medium-2512', 'magistral-small', 'ministral-8b'],
  'no-tools': ['gemma3:4b', 'deepseek-r1:8b', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B'],
};
const rows = Object.entries(shapes).flatMap(([shape, ids]) => ids.map((id) => [id, shape] as const));

const tool: OpenedTool = {
  name: 'docs_read_text',
  description: 'Reads a text file.',
  inputSchema: { type: 'object', properties: { artifact: { type: 'string' } }, required: ['artifact'] },
  ...{ profile: 'docs', effect: 'read', executor: 'docs', timeoutMs: 1_000, skill: 'memo@1.0.0' },
};

/** A load, two calls at once with what the provider wants back, an image, a skill of the account's own, a notice, and a second turn. */
function chatOf(entry: ModelEntry): HistoryItem[] {
  const dispatch = entry.plan === 'dispatch';
  const read = (artifact: string) => (dispatch ? { name: 'call_tool', arguments: JSON.stringify({ name: tool.name, arguments: { artifact } }) } : { name: tool.name, arguments: JSON.stringify({ artifact }) });
  const message = { reasoning_content: 'The user wants a memo.' };
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => entry.keeps?.includes(name)));
  const call = entry.keeps?.includes('extra_content') ? { extra_content: { google: { thought_signature: 'c2ln' } } } : undefined;
  const provider = entry.keeps ? { provider: { model: entry.id, ...(call && { call }), ...(Object.keys(kept).length > 0 && { message: kept }) } } : {};
  const skill = (slug: string, source: 'platform' | 'account') => ({ slug, version: '1.0.0', digest: 'a'.repeat(64), instructions: `Do ${slug}.`, source });
  const image = { artifact: `art_${'b'.repeat(32)}`, name: 'plan.png', mime: 'image/png' };
  return [
    { kind: 'facts', text: 'Today is Monday.' },
    { kind: 'user', content: [{ type: 'text', text: 'Make a memo of this.' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    { kind: 'assistant', text: '', calls: [{ id: 'call_a1', name: 'load_skill', arguments: '{"slug":"memo"}', ...provider }, { id: 'call_a2', name: 'load_skill', arguments: '{"slug":"own"}' }] },
    { kind: 'result', callId: 'call_a1', content: '{"loaded":"memo@1.0.0"}' },
    { kind: 'result', callId: 'call_a2', content: '{"loaded":"own@1.0.0"}' },
    { kind: 'loaded', skills: [skill('memo', 'platform'), skill('own', 'account')], callIds: { memo: 'call_a1', own: 'call_a2' }, ...(dispatch && { schemas: '{"name":"docs_read_text"}' }) },
    { kind: 'assistant', text: 'I read both.', calls: [{ id: 'call_b1', ...read('x'), ...provider }, { id: 'call_b2', ...read('y') }] },
    { kind: 'result', callId: 'call_b1', content: 'The lease ends.', images: [image] },
    { kind: 'result', callId: 'call_b2', content: 'Rent is due.' },
    { kind: 'notice', text: 'The list of skills has changed.' },
    { kind: 'assistant', text: 'Here it is.', calls: [] },
    { kind: 'user', content: 'Shorter.' },
  ];
}

function requestOf(entry: ModelEntry): ModelRequest {
  const journal = { visible: chatOf(entry), steps: [] };
  const images = new Map([[`art_${'b'.repeat(32)}`, 'data:image/png;base64,AAAA']]);
  const log = { warn: (what: unknown) => { throw new Error(`the history had to be repaired: ${JSON.stringify(what)}`); } };
  const context = { toolsAllowed: entry.usesTools, turn: { chat: 'chat-1' }, held: { tools: [tool] }, prefix: 'Be good.', images, journal, log, entry };
  return buildRequest(context as unknown as TurnContext, { temperature: 0 }, entry);
}

describe('the request for a model', () => {
  it.each(rows)('%s is as recorded: %s', (id, shape) => {
    const made = `${JSON.stringify({ ...requestOf(modelEntry(models, id)), model: '…' }, null, 2)}\n`;
    const file = join(import.meta.dirname, 'request-shapes', `${shape}.json`);
    if (process.env.SKILLGATE_PINS === 'write' && id === shapes[shape]![0]) writeFileSync(file, made);
    expect(existsSync(file)).toBe(true);
    expect(made).toBe(readFileSync(file, 'utf8'));
  });

  it('is recorded for every entry of models.yaml', () => {
    const ids = rows.map(([id]) => id);
    expect([...models.entries.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    const first = (id: string) => models.patterns.find(({ fits }) => fits.test(id));
    expect(models.patterns.filter((pattern) => !ids.some((id) => !models.entries.has(id) && first(id) === pattern)).map(({ fits }) => fits.source)).toEqual([]);
  });

  /** What the vendors say of their own endpoints, beside what is recorded. */
  const messagesOf = (id: string) => requestOf(modelEntry(models, id)).messages as { role: string; content: unknown; tool_calls?: { id: string; extra_content?: unknown }[]; tool_call_id?: string; reasoning_content?: string }[];

  it.each(['claude-sonnet-4-5', 'gemini-3-pro', 'Qwen/Qwen3-8B', 'somebody/new-model'])('has one system message for %s, which leads', (id) => {
    expect(messagesOf(id).map(({ role }) => role).lastIndexOf('system')).toBe(0);
  });

  it.each(shapes['nine-letter-ids']!)('has ids of nine letters for %s, and each result finds its call', (id) => {
    const messages = messagesOf(id);
    const calls = messages.flatMap(({ tool_calls: made = [] }) => made.map((call) => call.id));
    expect(calls).toHaveLength(4);
    expect(new Set(calls).size).toBe(4);
    for (const call of calls) expect(call).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(messages.flatMap(({ tool_call_id: result }) => (result ? [result] : []))).toEqual(calls);
  });

  it('has the thoughts beside the calls for deepseek, and the signatures in them for gemini', () => {
    expect(messagesOf('deepseek-chat').filter(({ tool_calls: made }) => made).map((message) => message.reasoning_content)).toEqual(['The user wants a memo.', 'The user wants a memo.']);
    expect(messagesOf('gemini-3-pro').filter(({ tool_calls: made }) => made).map((message) => message.tool_calls?.[0]?.extra_content)).toEqual([{ google: { thought_signature: 'c2ln' } }, { google: { thought_signature: 'c2ln' } }]);
  });

  it.each(shapes['no-tools']!)('has neither tools nor calls nor results for %s', (id) => {
    expect(requestOf(modelEntry(models, id)).tools).toBeUndefined();
    expect(messagesOf(id).some((message) => message.role === 'tool' || message.tool_calls)).toBe(false);
  });

  it('names a cache key only where the endpoint takes one', () => {
    expect(requestOf(modelEntry(models, 'gpt-5'))).toHaveProperty('prompt_cache_key', 'chat-1');
    for (const id of ['claude-sonnet-4-5', 'mistral-small-latest', 'somebody/new-model']) expect(requestOf(modelEntry(models, id))).not.toHaveProperty('prompt_cache_key');
  });
});
