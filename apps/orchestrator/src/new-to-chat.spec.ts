import { describe, expect, it } from '@jest/globals';
import type { HistoryItem } from '@skillgate/prompt/history';
import { lastWord } from './last-word.js';
import { newToChat } from './new-to-chat.js';
import { outcomeOf } from './spec-support/facts.js';

const user: HistoryItem = { kind: 'user', content: 'Go.' };
const answer: HistoryItem = { kind: 'assistant', text: 'Gone.', calls: [] };
const call: HistoryItem = { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'x', arguments: '{}' }] };
const result: HistoryItem = { kind: 'result', callId: 'c', content: 'x' };
const system: HistoryItem = { kind: 'notice', text: 'Be brief.' };
const interrupted: HistoryItem = { kind: 'assistant', text: '[This answer was interrupted: turn-interrupted.]', calls: [] };

describe('what a turn adds to its chat', () => {
  it.each<[string, HistoryItem[], HistoryItem[]]>([
    ['is all that is said in a new chat', [], [system, user]],
    ['is all that is said behind an answer', [user, answer], [system, user]],
    ['is not the system message that the chat has', [system, user, answer], [user]],
    ['is a last word for a turn that died before its answer', [user], [interrupted, system, user]],
    ['is a last word for a turn that died with its calls', [user, call], [interrupted, system, user]],
    ['is a last word for a turn that died between two calls', [user, call, result], [interrupted, system, user]],
  ])('%s', (_, history, added) => {
    expect(newToChat(history, [system, user])).toEqual(added);
  });
});

describe('the last word of a turn', () => {
  const failed = outcomeOf({ status: 'failed', finishReason: 'error', error: { slug: 'model-cut', message: 'Cut.' } });
  const cancelled = outcomeOf({ status: 'cancelled', finishReason: 'cancelled' });
  it.each([
    ['is the answer', 'Gone.', outcomeOf(), 'Gone.'],
    ['is what was said and why it stops there', 'Half', failed, 'Half\n\n[This answer was interrupted: model-cut.]'],
    ['is the reason alone when nothing was said', '', failed, '[This answer was interrupted: model-cut.]'],
    ['names the user who stopped it', 'Half', cancelled, 'Half\n\n[The user stopped this answer.]'],
    ['is never empty', ' ', outcomeOf({ finishReason: 'length' }), '[This answer is empty: length.]'],
  ])('%s', (_, spoken, outcome, text) => {
    expect(lastWord(spoken, outcome)).toEqual({ kind: 'assistant', text, calls: [] });
  });
});
