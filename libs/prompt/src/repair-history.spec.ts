import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HistoryItem } from './history.js';
import type { ModelEntry } from './models.js';
import { project } from './project-history.js';
import { notRunResult, repair } from './repair-history.js';

const user: HistoryItem = { kind: 'user', content: 'Hi' };
const notice: HistoryItem = { kind: 'notice', text: 'n' };
const loaded: HistoryItem = { kind: 'loaded', skills: [], callIds: {} };
const calls = (...ids: string[]): HistoryItem => ({
  kind: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, name: 't', arguments: '{}' })),
});
const result = (callId: string, content = callId): HistoryItem => ({ kind: 'result', callId, content });
const says = (text: string): HistoryItem => ({ kind: 'assistant', text, calls: [] });
const notRun = (callId: string) => result(callId, notRunResult);

describe('repair', () => {
  it.each([
    [
      'leaves a good history alone',
      [user, calls('a', 'b'), result('a'), result('b'), loaded, notice, says('x')],
      [user, calls('a', 'b'), result('a'), result('b'), loaded, notice, says('x')],
      [],
    ],
    [
      'fills in the results that a stop left out',
      [user, calls('a', 'b', 'c'), result('a'), user],
      [user, calls('a', 'b', 'c'), result('a'), notRun('b'), notRun('c'), user],
      ['filled b', 'filled c'],
    ],
    ['fills in at the end of a history', [user, calls('a')], [user, calls('a'), notRun('a')], ['filled a']],
    [
      'fills in between two rounds',
      [calls('a'), calls('b'), result('b')],
      [calls('a'), notRun('a'), calls('b'), result('b')],
      ['filled a'],
    ],
    [
      'drops a result that no call waits for',
      [user, result('x'), calls('a'), result('a'), result('y')],
      [user, calls('a'), result('a')],
      ['dropped x', 'dropped y'],
    ],
    ['keeps the first of two results', [calls('a'), result('a', '1'), result('a', '2')], [calls('a'), result('a', '1')], ['dropped a']],
    [
      'drops a result that comes after the user went on',
      [calls('a'), user, result('a')],
      [calls('a'), notRun('a'), user],
      ['filled a', 'dropped a'],
    ],
    [
      'puts results into the order of the calls',
      [calls('a', 'b'), result('b'), result('a')],
      [calls('a', 'b'), result('a'), result('b')],
      ['moved '],
    ],
    [
      'puts loads behind the results and notices last',
      [calls('a'), notice, loaded, result('a')],
      [calls('a'), result('a'), loaded, notice],
      ['moved '],
    ],
    ['keeps one of two calls with the same id', [calls('a', 'a'), result('a')], [calls('a'), result('a')], ['dropped a']],
    ['drops an answer that says nothing', [user, says(''), user], [user, user], ['dropped ']],
    ['does not let an answer that says nothing end a round', [calls('a'), says(''), result('a')], [calls('a'), result('a')], ['dropped ']],
    [
      'matches ids that come again in a later round',
      [calls('a'), result('a', '1'), calls('a'), result('a', '2')],
      [calls('a'), result('a', '1'), calls('a'), result('a', '2')],
      [],
    ],
  ] as [string, HistoryItem[], HistoryItem[], string[]][])('%s', (_what, broken, whole, done) => {
    const { history, repairs } = repair(broken);
    expect(history).toEqual(whole);
    expect(repairs.map(({ what, callId }) => `${what} ${callId ?? ''}`)).toEqual(done);
    expect(repairs.every(({ reason }) => reason.length > 10)).toBe(true);
  });

  const anyItem: fc.Arbitrary<HistoryItem> = fc.oneof(
    fc.constantFrom(user, notice, loaded, says('x'), says(''), { kind: 'facts' as const, text: 'f' }),
    fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((ids) => calls(...ids)),
    fc.constantFrom('a', 'b', 'c').map((id) => result(id)),
  );
  const entry: ModelEntry = {
    id: 'm',
    contextTokens: 1,
    maxOutputTokens: 1,
    usesTools: true,
    parallelCalls: true,
    cacheKey: false,
    prices: null,
    instructions: 'system-message',
    plan: 'dispatch',
  };

  it('makes any history sendable, with exactly one result for each call', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 20 }), (broken) => {
        const messages = project('', repair(broken).history, entry);
        for (const [at, message] of messages.entries()) {
          if (message.role !== 'assistant' || !message.tool_calls) continue;
          const ids = message.tool_calls.map(({ id }) => id);
          expect(messages.slice(at + 1, at + 1 + ids.length)).toEqual(
            ids.map((id) => expect.objectContaining({ role: 'tool', tool_call_id: id })),
          );
          expect(messages[at + 1 + ids.length]?.role).not.toBe('tool');
        }
      }),
    );
  });

  it('changes nothing the second time, and reports nothing for a history that it does not change', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 20 }), (broken) => {
        const once = repair(broken);
        expect(repair(once.history)).toEqual({ history: once.history, repairs: [] });
        expect(once.repairs.length === 0).toBe(JSON.stringify(once.history) === JSON.stringify(broken));
      }),
    );
  });
});
