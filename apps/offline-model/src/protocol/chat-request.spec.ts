import { describe, expect, it } from '@jest/globals';
import { parseChatRequest } from './chat-request.js';

const user = { role: 'user', content: 'Hello' };
const body = (more: object): object => ({ model: 'm', messages: [user], ...more });
const tool = { type: 'function', function: { name: 'ring', parameters: { type: 'object' } } };
const calling = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ring', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' };

describe('a malformed request', () => {
  it.each([
    ['the body', [], null],
    ['model', body({ model: 3 }), 'model'],
    ['messages', body({ messages: [] }), 'messages'],
    ['a role', body({ messages: [{ role: 'robot', content: '' }] }), 'messages[0].role'],
    ['content', body({ messages: [{ role: 'user' }] }), 'messages[0].content'],
    ['a text part', body({ messages: [{ role: 'user', content: [{ type: 'text' }] }] }), 'messages[0].content[0].text'],
    ['a call without result', body({ messages: [user, calling] }), 'messages'],
    ['a message before the result', body({ messages: [user, calling, user] }), 'messages[2]'],
    ['a result without call', body({ messages: [user, result] }), 'messages[1].tool_call_id'],
    ['a second result', body({ messages: [user, calling, result, result] }), 'messages[3].tool_call_id'],
    [
      'raw arguments',
      body({ messages: [user, { ...calling, tool_calls: [{ id: 'c1', function: { name: 'ring', arguments: {} } }] }] }),
      'messages[1].tool_calls[0].function.arguments',
    ],
    ['a tool name', body({ tools: [{ type: 'function', function: { name: 'a b' } }] }), 'tools[0].function.name'],
    ['tool_choice without tools', body({ tool_choice: 'required' }), 'tool_choice'],
    [
      'an unknown choice',
      body({ tools: [tool], tool_choice: { type: 'function', function: { name: 'bell' } } }),
      'tool_choice.function.name',
    ],
    ['several answers', body({ n: 2 }), 'n'],
    ['a JSON answer', body({ response_format: { type: 'json_object' } }), 'response_format'],
    ['stream', body({ stream: 'yes' }), 'stream'],
  ])('is refused with the name of the field: %s', (_, request, param) => {
    expect(() => parseChatRequest(request)).toThrow(expect.objectContaining({ param }));
  });
});

it('reads a full request', () => {
  const request = parseChatRequest(
    body({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'x' } },
            { type: 'text', text: 'b' },
          ],
        },
        calling,
        result,
      ],
      tools: [tool],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      stop: 'x',
      temperature: 0.3,
    }),
  );
  expect(request).toMatchObject({
    model: 'm',
    stream: true,
    includeUsage: true,
    maxTokens: 5,
    stop: ['x'],
    toolChoice: 'auto',
    tools: [{ name: 'ring' }],
  });
  expect(request.messages.map((message) => message.text)).toEqual(['a\n\nb', '', 'ok']);
});
