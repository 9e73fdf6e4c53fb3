// Proves: the official OpenAI client, the `ai` SDK and LangChain work with nothing but a base URL and a key, with tools of their own too.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
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

  const place = { type: 'object' as const, properties: { place: { type: 'string' as const } }, required: ['place'] };
  const withTool = [script[0]!, { toolCalls: [{ name: 'get_weather', arguments: { place: 'Bonn' } }] }, { text: 'It rains in Bonn.' }];
  /** The chat went on where the client was: what we loaded for it is still there, and its result. */
  const wentOn = () => {
    const { messages } = t.model.requests.at(-1)!.json;
    expect(JSON.stringify(messages.map(({ tool_calls }) => tool_calls))).toContain('load_skill');
    expect(messages.filter(({ role }) => role === 'tool').at(-1)!.content).toContain('rain');
    t.model.assertConsumed();
  };

  it('openai runs its own tool and sends the result', async () => {
    t.model.extend(withTool);
    const client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    const runner = client.chat.completions.runTools({
      model: modelId,
      messages: [{ role: 'user', content: 'Weather, by openai?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', description: 'Weather.', parameters: place, parse: JSON.parse, function: () => 'rain' } }],
    });
    expect(await runner.finalContent()).toBe('It rains in Bonn.');
    wentOn();
  });

  it('ai runs its own tool, streamed', async () => {
    t.model.extend(withTool);
    const provider = createOpenAICompatible({ name: 'skillgate', baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro });
    const tools = { get_weather: tool({ description: 'Weather.', inputSchema: jsonSchema<{ place: string }>(place), execute: () => 'rain' }) };
    const result = streamText({ model: provider(modelId), prompt: 'Weather, by ai?', tools, stopWhen: stepCountIs(3) });
    expect(await result.text).toBe('It rains in Bonn.');
    wentOn();
  });

  it('ai gets an object of the shape that it asks for', async () => {
    t.model.extend([{ text: '{"place":"Bonn"}' }]);
    const provider = createOpenAICompatible({ name: 'skillgate', baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro, supportsStructuredOutputs: true });
    const { output } = await generateText({ model: provider(modelId), prompt: 'Where?', output: Output.object({ schema: jsonSchema<{ place: string }>(place) }) });
    expect(output).toEqual({ place: 'Bonn' });
    expect(t.model.requests.at(-1)!.json).toMatchObject({ response_format: { type: 'json_schema' } });
    t.model.assertConsumed();
  });

  it('LangChain binds its own tool and goes on with the result', async () => {
    t.model.extend(withTool);
    const chat = new ChatOpenAI({ model: modelId, apiKey: t.house.keys.pro, configuration: { baseURL: `${t.house.url}/v1` }, maxRetries: 0 });
    const bound = chat.bindTools([{ type: 'function', function: { name: 'get_weather', description: 'Weather.', parameters: place } }]);
    const question = new HumanMessage('Weather, by LangChain?');
    const first = await bound.invoke([question]);
    expect(first.tool_calls).toMatchObject([{ name: 'get_weather', args: { place: 'Bonn' } }]);
    const last = await bound.invoke([question, first, new ToolMessage({ content: 'rain', tool_call_id: first.tool_calls![0]!.id! })]);
    expect(last.content).toBe('It rains in Bonn.');
    wentOn();
  });

  it('LangChain streams a gated turn', async () => {
    t.model.extend(script);
    const chat = new ChatOpenAI({ model: modelId, apiKey: t.house.keys.pro, configuration: { baseURL: `${t.house.url}/v1` }, maxRetries: 0 });
    let text = '';
    for await (const piece of await chat.stream('Write up the meeting, LangChain.')) text += String(piece.content);
    expect(text).toBe('The notes are written.');
    t.model.assertConsumed();
  });
});
