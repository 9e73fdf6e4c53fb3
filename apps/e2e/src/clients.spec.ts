// Proves: the official OpenAI client and the `ai` SDK work with nothing but a base URL and a key.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

const script = [
  { toolCalls: [{ name: 'load_skill', arguments: { slug: 'meeting-notes' } }] },
  { toolCalls: [{ name: 'docs_write_text', arguments: { file_name: 'notes.md', content: '# Notes' } }] },
  { text: ['The notes ', 'are ', 'written.'], usage: { prompt: 50, completion: 4 } },
];

describe('a standard client', () => {
  let t: TestHouse;
  beforeAll(async () => {
    t = await startTestHouse();
  }, 60_000);
  afterAll(() => t.stop());

  it('openai streams a gated turn', async () => {
    t.model.extend(script);
    const client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    const stream = await client.chat.completions.create({
      model: modelId,
      messages: [{ role: 'user', content: 'Write up the meeting.' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('The notes are written.');
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    t.model.assertConsumed();
  });

  it('openai gets a whole answer without streaming', async () => {
    t.model.extend(script);
    const client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    const answer = await client.chat.completions.create({ model: modelId, messages: [{ role: 'user', content: 'Write up the meeting.' }] });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: 'The notes are written.' } });
    t.model.assertConsumed();
  });

  it('openai lists the models', async () => {
    const client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    expect((await client.models.list()).data.map((model) => model.id)).toEqual([modelId]);
  });

  it('ai streams a gated turn', async () => {
    t.model.extend(script);
    const provider = createOpenAICompatible({ name: 'skillgate', baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    const result = streamText({ model: provider(modelId), prompt: 'Write up the meeting.' });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    expect(text).toBe('The notes are written.');
    expect(await result.finishReason).toBe('stop');
    t.model.assertConsumed();
  });

  it('openai turns a model that is not there into its NotFoundError', async () => {
    const client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro, maxRetries: 0 });
    await expect(client.chat.completions.create({ model: 'gpt-0', messages: [{ role: 'user', content: 'x' }] })).rejects.toThrow(OpenAI.NotFoundError);
  });
});
