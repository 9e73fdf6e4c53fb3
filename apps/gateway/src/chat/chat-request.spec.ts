import { describe, expect, it } from '@jest/globals';
import { isRefusal } from '@skillgate/contracts/refusal';
import { refuseIssues } from '../errors/refuse-issues.js';
import { chatRequest } from './chat-request.js';
import { turnRequest } from './turn-request.js';

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
      ...{ n: 1, user: 'u', metadata: { a: 'b' }, store: false, tools: [], tool_choice: 'auto', response_format: { type: 'text' } },
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
    ['a tool message', { ...valid, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role', 'no tool messages'],
    ['tools of its own', { ...valid, tools: [{ type: 'function' }] }, 'tools', 'opened by its skills'],
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

  it('passes sampling on, null as absent and the old name of the limit under the new one', () => {
    const body = chatRequest.parse({ ...valid, temperature: 0, top_p: null, max_tokens: 9, stop: 'x' });
    expect(turnRequest(body).sampling).toEqual({ temperature: 0, max_completion_tokens: 9, stop: 'x' });
  });
});
