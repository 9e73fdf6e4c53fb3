// Proves: a client's own tools are offered beside ours, and its calls come back to it, in both plans, streamed and whole.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

const weather: ChatCompletionTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'Weather of a place.', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
};
const load = { name: 'load_skill', arguments: { slug: 'meeting-notes' } };
const ask = { name: 'get_weather', arguments: { place: 'Bonn' } };
const question: ChatCompletionMessageParam = { role: 'user', content: 'Note the weather in Bonn.' };

interface Sent {
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  messages: { role: string; content?: unknown; tool_call_id?: string; tool_calls?: { id: string; function: { name: string } }[] }[];
}
const toolsOf = ({ tools = [] }: Sent) => tools.map((tool) => tool.function.name);

describe.each(['expand', 'dispatch'] as const)("a client's own tool in plan %s", (plan) => {
  let t: TestHouse;
  let client: OpenAI;
  const sent = (back = 1) => t.model.requests.at(-back)!.json as unknown as Sent;
  beforeAll(async () => {
    t = await startTestHouse({ SKILLGATE_PLAN: plan });
    client = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.pro, maxRetries: 0 });
  }, 60_000);
  afterAll(() => t.stop());

  it('is offered beside ours, its call comes back, and its result goes on', async () => {
    t.model.extend([{ text: 'I look. ', toolCalls: [ask] }]);
    const first = await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather] });
    const [choice] = first.choices;
    expect(choice!.finish_reason).toBe('tool_calls');
    expect(choice!.message.tool_calls).toMatchObject([{ type: 'function', function: { name: 'get_weather', arguments: '{"place":"Bonn"}' } }]);
    expect(toolsOf(sent())).toEqual(expect.arrayContaining(['load_skill', 'get_weather']));

    t.model.extend([{ text: 'It rains.' }]);
    const messages = [question, choice!.message, { role: 'tool' as const, tool_call_id: choice!.message.tool_calls![0]!.id, content: 'rain' }];
    const second = await client.chat.completions.create({ model: modelId, messages, tools: [weather] });
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It rains.' } });
    expect(sent().messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['rain']);
    t.model.assertConsumed();
  });

  it('comes back in a stream in the pieces that clients join', async () => {
    t.model.extend([{ toolCalls: [ask, { ...ask, arguments: { place: 'Köln' } }] }]);
    const stream = client.chat.completions.stream({ model: modelId, messages: [question], tools: [weather] });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]!.finish_reason).toBe('tool_calls');
    expect(choices[0]!.message.tool_calls?.map((call) => (call.type === 'function' ? call.function.arguments : ''))).toEqual(['{"place":"Bonn"}', '{"place":"Köln"}']);
    t.model.assertConsumed();
  });

  it('in a round with ours: ours runs first and keeps its result, the chat goes on by its id', async () => {
    t.model.extend([{ toolCalls: [load, ask] }]);
    const first = await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather] });
    const calls = first.choices[0]!.message.tool_calls!;
    expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(['get_weather']);
    const { turn, chat } = (first as unknown as { skillgate: { turn: string; chat: string } }).skillgate;
    const { steps } = await t.route(turn);
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'tool', tool: 'get_weather', reason: 'handed-to-client', decision: 'ok' }));
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'load', skill: 'meeting-notes', decision: 'loaded' }));

    t.model.extend([{ text: 'Done.' }]);
    const messages = [{ role: 'tool' as const, tool_call_id: calls[0]!.id, content: 'rain' }];
    const body = { model: modelId, messages, tools: [weather], skillgate: { chat_id: chat } };
    await client.chat.completions.create(body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming);
    const made = sent().messages.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(made.map((call) => call.function.name)).toEqual(['load_skill', 'get_weather']);
    const results = sent().messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(made.map(({ id }) => id));
    expect(results.at(-1)!.content).toBe('rain');
    t.model.assertConsumed();
  });

  it('that never got its result is answered as not run, and the user may go on', async () => {
    t.model.extend([{ toolCalls: [ask] }]);
    const first = await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather] });
    const { chat } = (first as unknown as { skillgate: { chat: string } }).skillgate;
    t.model.extend([{ text: 'Fine.' }]);
    const body = { model: modelId, messages: [{ role: 'user', content: 'Never mind.' }], tools: [weather], skillgate: { chat_id: chat } };
    await client.chat.completions.create(body as OpenAI.ChatCompletionCreateParamsNonStreaming);
    const results = sent().messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(1);
    expect(results[0]!.content).toContain('not-run');
    t.model.assertConsumed();
  });

  it.each([
    ['none', 'none'],
    ['required', 'required'],
    [{ type: 'function', function: { name: 'get_weather' } }, { type: 'function', function: { name: 'get_weather' } }],
  ] as const)('is chosen as the client says: %j', async (choice, expected) => {
    t.model.extend([choice === 'none' ? { text: 'No.' } : { toolCalls: [ask] }]);
    await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather], tool_choice: choice });
    expect(sent().tool_choice).toEqual(expected);
    t.model.assertConsumed();
  });

  it('is still demanded after a call of ours, since the client waits for one of its own', async () => {
    t.model.extend([{ toolCalls: [load] }, { toolCalls: [ask] }]);
    const answer = await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather], tool_choice: 'required' });
    expect(answer.choices[0]!.finish_reason).toBe('tool_calls');
    expect([sent(2).tool_choice, sent().tool_choice]).toEqual(['required', 'required']);
    t.model.assertConsumed();
  });

  it('changes no byte of the tools that were sent before', async () => {
    t.model.extend([{ toolCalls: [load] }, { text: 'Ready.' }]);
    await client.chat.completions.create({ model: modelId, messages: [question], tools: [weather] });
    const [before, after] = [sent(2).tools!, sent().tools!];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length > before.length).toBe(plan === 'expand');
    t.model.assertConsumed();
  });

  it.each([
    ['of the name of ours', { tools: [{ type: 'function', function: { name: 'load_skill' } }] }, 'tool-name-reserved'],
    ['that was never called', { messages: [{ role: 'tool', tool_call_id: 'call_x', content: 'rain' }] }, 'invalid-request'],
    ['that is chosen and not there', { tools: [weather], tool_choice: { type: 'function', function: { name: 'other' } } }, 'invalid-request'],
  ])('%s is refused', async (_what, more, code) => {
    const response = await t.post('/v1/chat/completions', { model: modelId, messages: [question], ...more });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code, type: 'invalid_request_error' } });
  });

  it('whose result nobody waits for is refused in a chat that the platform holds', async () => {
    const { chat } = await t.turn([{ text: 'Hello.' }], { messages: [question] });
    const response = await t.post('/v1/chat/completions', { model: modelId, messages: [{ role: 'tool', tool_call_id: 'call_x', content: 'rain' }], skillgate: { chat_id: chat } });
    expect(await response.json()).toMatchObject({ error: { code: 'unknown-tool-call' } });
  });

  it('is open to accounts that have no tools of ours', async () => {
    t.model.extend([{ toolCalls: [ask] }]);
    const free = new OpenAI({ baseURL: `${t.house.url}/v1`, apiKey: t.house.keys.free, maxRetries: 0 });
    const answer = await free.chat.completions.create({ model: modelId, messages: [question], tools: [weather] });
    expect(answer.choices[0]!.message.tool_calls).toHaveLength(1);
    expect(toolsOf(sent())).toEqual(['get_weather']);
    t.model.assertConsumed();
  });
});

describe('options of a request', () => {
  let t: TestHouse;
  beforeAll(async () => {
    t = await startTestHouse();
  }, 60_000);
  afterAll(() => t.stop());
  const body = { messages: [{ role: 'user', content: 'Hello' }] };

  it('reach the model as they came', async () => {
    const options = {
      ...{ temperature: 0.5, top_p: 0.9, stop: ['END'], seed: 7, max_completion_tokens: 50, presence_penalty: 0.1, frequency_penalty: -0.2 },
      ...{ logit_bias: { '50256': -100 }, parallel_tool_calls: false, reasoning_effort: 'low', verbosity: 'low' },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: { type: 'object', properties: {} } } },
    };
    await t.turn([{ text: '{}' }], { ...body, ...options });
    expect(t.model.requests.at(-1)!.json).toMatchObject(options);
  });

  it('that the model does not take are left out by name; an answer of another shape is never given', async () => {
    t.model.extend([{ text: 'Hi.' }]);
    const options = { model: 'gpt-5', temperature: 0.5, seed: 7, reasoning_effort: 'low' };
    const response = await t.post('/v1/chat/completions', { ...body, ...options });
    expect(response.headers.get('x-skillgate-dropped')).toBe('temperature');
    expect(await response.json()).toMatchObject({ skillgate: { dropped: ['temperature'] } });
    expect(t.model.requests.at(-1)!.json).not.toHaveProperty('temperature');
    expect(t.model.requests.at(-1)!.json).toMatchObject({ seed: 7, reasoning_effort: 'low' });
    t.model.assertConsumed();
  });
});
