import { describe, expect, it } from '@jest/globals';
import { endWithUser, flatten } from './flatten-history.js';
import type { HistoryItem } from './history.js';

describe('flatten', () => {
  const history: HistoryItem[] = [
    { kind: 'facts', text: 'Today is Monday.' },
    { kind: 'user', content: 'Write a memo' },
    { kind: 'assistant', text: 'I load it.', calls: [{ id: '1', name: 'load_skill', arguments: '{"slug":"memo"}' }] },
    { kind: 'result', callId: '1', content: '{"loaded":"memo@1.0.0"}' },
    { kind: 'loaded', skills: [], callIds: {} },
    { kind: 'assistant', text: '', calls: [{ id: '2', name: 'call_tool', arguments: '{"name":"docs_generate_docx","arguments":{}}' }] },
    { kind: 'result', callId: '2', content: 'x'.repeat(5_000) },
    { kind: 'assistant', text: 'Here it is.', calls: [] },
    { kind: 'user', content: 'Thanks' },
  ];

  it('makes one plain answer of calls, results and text, and keeps no call and no loaded skill', () => {
    const flat = flatten(history);
    expect(flat.map(({ kind }) => kind)).toEqual(['facts', 'user', 'assistant', 'user']);
    expect(flat[2]).toMatchObject({ calls: [] });
    const { text } = flat[2] as { text: string };
    const load = 'I load it.\n\n(Earlier, load_skill was used and gave: {"loaded":"memo@1.0.0"})\n\n';
    expect(text.startsWith(`${load}(Earlier, docs_generate_docx was used and gave: xxx`)).toBe(true);
    expect(text).toMatch(/\)\n\nHere it is\.$/);
  });

  it('ends with the user where the house wants one more answer in mid-turn, and is left alone where the user has the word', () => {
    const midTurn = flatten([...history.slice(0, 7), { kind: 'notice', text: 'Answer now.' }]);
    expect(endWithUser(midTurn)).toEqual([...midTurn.slice(0, -1), { kind: 'user', content: '<notice>\nAnswer now.\n</notice>' }]);
    expect(endWithUser(flatten(history))).toEqual(flatten(history));
  });

  it('shortens long results', () => {
    expect(JSON.stringify(flatten(history)).length).toBeLessThan(3_000);
  });

  it('leaves a plain chat as it is, and changes nothing the second time', () => {
    const plain: HistoryItem[] = [
      { kind: 'user', content: 'Hi' },
      { kind: 'assistant', text: 'Hello', calls: [] },
    ];
    expect(flatten(plain)).toEqual(plain);
    expect(flatten(flatten(history))).toEqual(flatten(history));
  });
});
