import { describe, expect, it } from '@jest/globals';
import type { HistoryItem } from '@skillgate/prompt/history';
import { checkClientTools, checkResults, openCalls } from './client-tools.js';
import { newToChat } from './new-to-chat.js';

const user: HistoryItem = { kind: 'user', content: 'x' };
const asked: HistoryItem = { kind: 'assistant', text: '', calls: ['a', 'b', 'ours'].map((id) => ({ id, name: 'own', arguments: '{}' })), handed: ['a', 'b'] };
const result = (callId: string): HistoryItem => ({ kind: 'result', callId, content: 'y' });

describe("a client's tools", () => {
  it.each(['load_skill', 'call_tool', 'read_skill_file', 'search_chats'])('may not be called %s', (name) => {
    expect(() => checkClientTools([{ name }])).toThrow(expect.objectContaining({ slug: 'tool-name-reserved' }));
    expect(() => checkClientTools([{ name: `my_${name}` }])).not.toThrow();
  });

  it.each<[string, HistoryItem[], string[]]>([
    ['all, before any result', [user, asked], ['a', 'b']],
    ['those without a result', [user, asked, result('a')], ['b']],
    ['none, when all have one', [user, asked, result('b'), result('a')], []],
    ['none, when the user spoke since', [user, asked, result('a'), user], []],
  ])('wait for results of %s', (_what, history, open) => {
    expect(openCalls(history)).toEqual(open);
  });

  it('take results of open calls alone, also of calls that come with the request', () => {
    expect(() => checkResults([user, asked, result('a')], [result('b')])).not.toThrow();
    expect(() => checkResults([], [user, { ...asked, from: 'client' }, result('a')])).not.toThrow();
    expect(() => checkResults([user, asked], [result('ours')])).toThrow(expect.objectContaining({ slug: 'unknown-tool-call' }));
    expect(() => checkResults([user, asked, result('a')], [result('a')])).toThrow(expect.objectContaining({ slug: 'unknown-tool-call' }));
  });

  it('that were handed over are a last word: nobody says that the answer was interrupted', () => {
    expect(newToChat([user, asked], [result('a')])).toEqual([result('a')]);
    expect(newToChat([user, asked], [user])).toEqual([user]);
    expect(newToChat([user, asked, result('a'), result('b')], [user])).toHaveLength(2);
  });
});
