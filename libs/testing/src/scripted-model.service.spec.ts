import { afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { Script } from './script.js';
import { startScriptedModel, type ScriptedModel } from './scripted-model.js';

let model: ScriptedModel;
afterEach(() => model.close());

async function play(script: Script): Promise<OpenAI> {
  model = await startScriptedModel(script);
  return new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0 });
}
const question = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello?' }] };
const streamed = { ...question, stream: true as const, stream_options: { include_usage: true } };

async function pieces(client: OpenAI): Promise<OpenAI.ChatCompletionChunk[]> {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of await client.chat.completions.create(streamed)) chunks.push(chunk);
  return chunks;
}
const toolPieces = (chunks: OpenAI.ChatCompletionChunk[]) => chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);

describe('the scripted model', () => {
  it('streams text and tool calls to the official client', async () => {
    const client = await play([
      {
        text: ['Good ', 'day'],
        toolCalls: [{ name: 'load_skill', arguments: { slug: 'a' } }, { name: 'other' }],
        usage: { prompt: 9, completion: 2, cached: 4 },
      },
    ]);
    const stream = client.chat.completions.stream(streamed);
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message.content).toBe('Good day');
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'load_skill', arguments: '{"slug":"a"}' } },
      { id: 'call_2', function: { name: 'other', arguments: '{}' } },
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } });
    model.assertConsumed();
  });

  it('answers in one piece when no stream is asked for', async () => {
    const client = await play([{ text: 'Good day' }, { toolCalls: [{ name: 'x', id: 'mine', arguments: '{broken' }] }]);
    const first = await client.chat.completions.create(question);
    expect(first.choices[0]).toMatchObject({ message: { content: 'Good day' }, finish_reason: 'stop' });
    const { choices } = await client.chat.completions.create(question);
    expect(choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ id: 'mine', function: { arguments: '{broken' } }] });
    model.assertConsumed();
  });

  it('sends tool calls as careless servers do: index missing, always zero, in one piece, in odd pieces', async () => {
    const client = await play([
      {
        toolCalls: [
          { name: 'a', arguments: { x: 1 }, index: 'missing', pieces: 'whole' },
          { name: 'b', arguments: { y: 2 }, index: 0, pieces: ['{"y', '":2}'] },
        ],
      },
    ]);
    expect(toolPieces(await pieces(client))).toEqual([
      { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
      { index: 0, id: 'call_2', type: 'function', function: { name: 'b', arguments: '{"y' } },
      { index: 0, function: { arguments: '":2}' } },
    ]);
  });

  it('keeps the exact bytes of every request', async () => {
    const client = await play([{ text: 'a' }]);
    await client.chat.completions.create(question);
    expect(model.requests.map(({ body }) => body)).toEqual([JSON.stringify(question)]);
    expect(model.requests[0]?.json.messages).toEqual(question.messages);
  });

  it('plays errors with their waiting time, and broken connections', async () => {
    const client = await play([{ error: { status: 429, retryAfterSeconds: 2 } }, { text: ['a', 'b', 'c'], cut: 3 }, { cut: 0 }]);
    const limited = await client.chat.completions.create(question).catch((error: InstanceType<typeof OpenAI.APIError>) => error);
    expect(limited).toMatchObject({ status: 429 });
    expect((limited as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe('2');
    const seen: string[] = [];
    const cut = async () => {
      for await (const chunk of await client.chat.completions.create(streamed)) seen.push(chunk.choices[0]?.delta.content ?? '');
    };
    await expect(cut()).rejects.toThrow();
    expect(seen).toEqual(['', 'a', 'b']);
    await expect(pieces(client)).rejects.toThrow('Connection error');
    model.assertConsumed();
  });

  it('holds a stream until the test lets it go on, and notices a client that left', async () => {
    let release = () => {};
    const client = await play([{ text: ['first', () => new Promise<void>((resolve) => (release = resolve)), 'second'] }]);
    const stream = await client.chat.completions.create(streamed);
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'first') break;
    for (let tries = 0; tries < 100 && !model.requests[0]?.abandoned; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    release();
    expect(model.requests[0]?.abandoned).toBe(true);
  });

  it('refuses a call beyond the script so that no client repeats it, and fails the test', async () => {
    const client = await play([]);
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({ status: 400, code: 'not_in_the_script' });
    expect(() => model.assertConsumed()).toThrow('call 1: the script has ended; asked: {"role":"user","content":"Hello?"}');
  });

  it('fails the test when a step is left over, or a request is not the expected one', async () => {
    const client = await play([{ expect: ({ tools }) => expect(tools).toBeDefined() }, { text: 'never asked for' }]);
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({ status: 400 });
    expect(() => model.assertConsumed()).toThrow(/call 1: .*\n[^]*1 of the script's steps were never asked for/);
  });

  it('builds an answer from the request when the step is a function', async () => {
    const client = await play([async ({ messages }) => ({ text: `${messages.length} message` })]);
    expect((await client.chat.completions.create(question)).choices[0]?.message.content).toBe('1 message');
  });

  it('lists its models', async () => {
    const client = await play([]);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['scripted-model']);
  });
});
