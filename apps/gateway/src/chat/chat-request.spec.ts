import { describe, expect, it } from '@jest/globals';
import { isRefusal } from '@skillgate/contracts/refusal';
import { refuseIssues } from '../errors/refuse-issues.js';
import { chatRequest } from './chat-request.js';
import { turnRequest } from './turn-request.js';

const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } };
const valid = { model: 'default', messages: [{ role: 'user', content: 'Hello' }] };

function refusalOf(body: unknown): { param: unknown; message: string } {
  const parsed = chatRequest.safeParse(body);
  if (parsed.success) throw new Error('was accepted');
  const refusal = refuseIssues('invalid-request', parsed.error);
  return { param: refusal.details?.param, message: refusal.message };
}

describe('a chat request', () => {
  it('may carry every standard option', () => {
    const body = {
      ...valid,
      ...{ stream: true, stream_options: { include_usage: true }, temperature: 0.2, top_p: 1, stop: ['END'], seed: 7, max_tokens: 100 },
      ...{ n: 1, user: 'u', metadata: { a: 'b' }, store: false, tools: [weather], tool_choice: 'required', response_format: { type: 'json_object' } },
      ...{ presence_penalty: 1, frequency_penalty: -1, logit_bias: { '9': 1 }, parallel_tool_calls: true, reasoning_effort: 'high', verbosity: 'low' },
    };
    expect(chatRequest.safeParse(body).success).toBe(true);
  });

  it('may hold messages that a client kept from an earlier answer', () => {
    const messages = [
      ...valid.messages,
      { role: 'assistant', content: 'Hi', refusal: null, annotations: [] },
      { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
    ];
    expect(chatRequest.parse({ ...valid, messages }).messages).toHaveLength(3);
  });

  it.each([
    ['a missing model', { messages: valid.messages }, 'model', 'expected string'],
    ['no messages', { ...valid, messages: [] }, 'messages', 'at least one'],
    ['a wrong type', { ...valid, temperature: 'hot' }, 'temperature', 'expected number'],
    [
      'a wrong type deep inside',
      { ...valid, messages: [{ role: 'user', content: [{ type: 'text', text: 7 }] }] },
      'messages[0].content[0].text',
      'expected string',
    ],
    ['a role that is none', { ...valid, messages: [{ role: 'function', content: 'x' }] }, 'messages[0].role', 'user, assistant or tool'],
    ['a result without a call', { ...valid, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id', 'expected string'],
    ['an assistant that says nothing', { ...valid, messages: [{ role: 'assistant', content: null }] }, 'messages[0]', 'tool_calls'],
    ['a tool of another kind', { ...valid, tools: [{ ...weather, type: 'custom' }] }, 'tools[0].type', 'other kinds of tools'],
    ['a name that no tool can have', { ...valid, tools: [{ type: 'function', function: { name: 'a b' } }] }, 'tools[0].function.name', ''],
    ['two tools of one name', { ...valid, tools: [weather, weather] }, 'tools', 'twice'],
    ['a choice of a tool that is not there', { ...valid, tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } }, 'tool_choice', 'none of'],
    ['a choice that is none', { ...valid, tool_choice: 'any' }, 'tool_choice', 'expected one of'],
    ['a shape of the answer that is none', { ...valid, response_format: { type: 'xml' } }, 'response_format.type', 'json_schema'],
    ['several answers', { ...valid, n: 2 }, 'n', 'one answer'],
    ['an option of another vendor', { ...valid, top_k: 40 }, 'top_k', 'Unknown field'],
    ['an unknown option of ours', { ...valid, skillgate: { chat: 'x' } }, 'skillgate.chat', 'Unknown field'],
    [
      'a state that is none',
      { ...valid, skillgate: { skills: { 'meeting-notes': 'on' } } },
      'skillgate.skills.meeting-notes',
      'Invalid option',
    ],
    ['an artifact id that is none', { ...valid, skillgate: { artifacts: ['x'] } }, 'skillgate.artifacts[0]', ''],
    ['no object at all', 'hello', undefined, 'expected object'],
  ])('is refused with the field at fault for %s', (_what, body, param, words) => {
    const refusal = refusalOf(body);
    expect(refusal.param).toBe(param);
    expect(refusal.message).toContain(words);
  });
});

describe('what the orchestrator is asked for', () => {
  const history = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Three' },
  ];
  const chat_id = '6f2f1c1e-4a43-4d0e-9a0c-0b7a2f1f7a11';

  it('is the whole conversation of a stateless client', () => {
    expect(turnRequest(chatRequest.parse({ ...valid, messages: history }))).toMatchObject({ stateful: false, messages: history });
  });

  it('is what is new in a chat that the platform holds', () => {
    const asked = turnRequest(chatRequest.parse({ ...valid, messages: history, skillgate: { chat_id } }));
    expect(asked).toMatchObject({ stateful: true, messages: [{ role: 'user', content: 'Three' }] });
  });

  it("holds every new message, the client's system message too: the chat keeps it once", () => {
    const fresh = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Three' },
      { role: 'user', content: 'And four' },
    ];
    expect(turnRequest(chatRequest.parse({ ...valid, messages: fresh, skillgate: { chat_id } })).messages).toEqual(fresh);
  });

  it('is refused when there is nothing new', () => {
    const body = chatRequest.parse({ ...valid, messages: history.slice(0, 3), skillgate: { chat_id } });
    expect(() => turnRequest(body)).toThrow(expect.objectContaining({ slug: 'invalid-request' }));
    try {
      turnRequest(body);
    } catch (error) {
      expect(isRefusal(error)).toBe(true);
    }
  });

  it("is the client's tools, the choice of one, and their calls and results as the platform has them", () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
    const messages = [...valid.messages, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'call_1', content: 'rain' }];
    const asked = turnRequest(chatRequest.parse({ ...valid, messages, tools: [weather], tool_choice: { type: 'function', function: { name: 'get_weather' } } }));
    expect(asked).toMatchObject({ clientTools: [weather.function], toolChoice: { name: 'get_weather' } });
    expect(asked.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', calls: [{ id: 'call_1', name: 'get_weather', arguments: '{}' }] },
      { role: 'user', content: 'rain', resultOf: 'call_1' },
    ]);
  });

  it('is refused where a result answers no call of the conversation', () => {
    const messages = [...valid.messages, { role: 'tool', tool_call_id: 'call_1', content: 'rain' }];
    expect(() => turnRequest(chatRequest.parse({ ...valid, messages }))).toThrow(expect.objectContaining({ details: { param: 'messages[1].tool_call_id' } }));
  });

  it('passes sampling on, null as absent and the old name of the limit under the new one', () => {
    const body = chatRequest.parse({ ...valid, temperature: 0, top_p: null, max_tokens: 9, stop: 'x' });
    expect(turnRequest(body).sampling).toEqual({ temperature: 0, max_completion_tokens: 9, stop: 'x' });
  });
});
