import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../protocol/chat-message.js';
import { readLoadedSkills } from './loaded-skills.js';
import { readTurn } from './turn.js';

const message = (role: ChatMessage['role'], text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  role,
  text,
  toolCalls: [],
  ...more,
});
const called = (id: string, name: string, args = '{}'): ChatMessage =>
  message('assistant', '', { toolCalls: [{ id, name, arguments: args }] });
const answered = (id: string, text: string): ChatMessage => message('tool', text, { toolCallId: id });

describe('reading a conversation', () => {
  const conversation = [
    message('system', 's'),
    message('user', 'first'),
    called('1', 'old'),
    answered('1', 'r1'),
    message('assistant', 'done'),
    message('user', 'second'),
    called('2', 'new'),
    answered('2', 'r2'),
    message('system', 'late'),
  ];

  it('parts what happened since the last user message from what was before', () => {
    const turn = readTurn(conversation);
    expect(turn).toMatchObject({
      asked: 'second',
      askedBefore: ['first'],
      saidBefore: 'done',
      spoken: true,
      steps: 1,
      system: ['s', 'late'],
    });
    expect(turn.calls.map((call) => [call.name, call.result])).toEqual([['new', 'r2']]);
    expect(turn.callsBefore.map((call) => call.name)).toEqual(['old']);
  });

  it('does not take what the house puts at the user’s authority for the user’s words', () => {
    const turn = readTurn([
      message('user', '<facts>\nToday.\n</facts>\n\nask'),
      called('1', 'gate'),
      answered('1', 'ok'),
      message('user', '<notice>\nchanged\n</notice>'),
    ]);
    expect(turn).toMatchObject({ asked: 'ask', steps: 1 });
    expect(turn.asides).toHaveLength(2);
  });
});

describe('loaded skills', () => {
  const loader = { name: 'gate', parameter: 'slug' };
  const block = (slug: string, text: string): string =>
    `<loaded_skills>\n<skill name="${slug}" version="1">\n${text}\n</skill>\n</loaded_skills>`;
  const loaded = (...messages: ChatMessage[]): Record<string, string> => Object.fromEntries(readLoadedSkills(readTurn(messages), loader));

  it('come from system messages, asides and results of the loading tool', () => {
    expect(
      loaded(
        message('system', `${block('a', 'A')} ${block('b', 'B')}`),
        message('user', `${block('c', 'C')}\nask`),
        called('1', 'gate', '{"slug":"d"}'),
        answered('1', `{"loaded":"d@1"}\n\n${block('d', 'D')}`),
      ),
    ).toEqual({ a: 'A', b: 'B', c: 'C', d: 'D' });
  });

  it('come from plain or JSON instructions in that result, but not from an acknowledgement', () => {
    const get = (result: string): Record<string, string> =>
      loaded(message('user', 'ask'), called('1', 'gate', '{"slug":"d"}'), answered('1', result));
    expect(get('# D\n1. Step')).toEqual({ d: '# D\n1. Step' });
    expect(get('{"instructions":"Do it."}')).toEqual({ d: 'Do it.' });
    expect(get('{"loaded":"d@1"}')).toEqual({});
    expect(get('Loaded d.')).toEqual({});
  });

  it('never come from other tools', () =>
    expect(loaded(message('user', 'ask'), called('1', 'peek'), answered('1', block('a', 'A')))).toEqual({}));
});
