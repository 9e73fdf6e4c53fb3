import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutHistory } from './cut-history.js';
import type { HistoryItem } from './history.js';
import { historyTokens } from './item-tokens.js';
import { repair } from './repair-history.js';
import { transcriptOf } from './summary-prompt.js';

const words = (n: number) => 'word '.repeat(n);
const user = (text = 'Go on'): HistoryItem => ({ kind: 'user', content: text });
const facts: HistoryItem = { kind: 'facts', text: 'Today is Monday.' };
const says = (text = 'Done.'): HistoryItem => ({ kind: 'assistant', text, calls: [] });
const round = (id: string, size = 100): HistoryItem[] => [
  { kind: 'assistant', text: '', calls: [{ id, name: 'docs_read', arguments: '{}' }] },
  { kind: 'result', callId: id, content: words(size) },
];
const summary: HistoryItem = { kind: 'summary', text: 'Earlier.' };

describe('where a history is cut', () => {
  const chat = [facts, user(), says(words(100)), facts, user(), says(words(100)), facts, user('Now')];
  it.each<[string, HistoryItem[], number, number, number | null, HistoryItem[]]>([
    ['before the first turn that fits', chat, 0, 200, 3, []],
    ['before the turn that runs, where no more fits', chat, 0, 20, 6, []],
    ['before the turn that runs, also where that alone does not fit', chat, 0, 1, 6, []],
    ['nowhere in a chat of one message', [facts, user()], 0, 10, null, []],
    ['nowhere where all but the running turn is a summary already', [summary, facts, user()], 1, 1, null, []],
    ['before a round of the turn that runs, whose question stays', [user(), says(), facts, user('Now'), ...round('a'), ...round('b')], 0, 150, 6, [facts, user('Now')]],
    ['behind the last round where not even that fits', [facts, user('Now'), ...round('a', 5_000)], 0, 150, 4, [facts, user('Now')]],
    ['behind what an earlier cut left', [summary, facts, user('Now'), ...round('a'), ...round('b')], 3, 150, 5, [facts, user('Now')]],
  ])('%s', (_, history, standing, keep, from, carried) => {
    expect(cutHistory(history, standing, keep)).toEqual(from === null ? null : { from, carried });
  });

  it('a question that is longer than what may stay is carried shortened, and says so', () => {
    const cut = cutHistory([user(words(5_000)), ...round('a'), ...round('b')], 0, 150);
    expect(historyTokens(cut!.carried)).toBeLessThan(250);
    expect(JSON.stringify(cut!.carried)).toContain('cut from the middle; the message was longer than fits');
  });

  it('never parts a call from its result, and never loses what the running turn was asked', () => {
    const turn = fc.record({ rounds: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }), loads: fc.boolean(), notice: fc.boolean() });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), fc.boolean(), fc.integer({ min: 100, max: 2_000 }), (turns, ended, keep) => {
        const history: HistoryItem[] = [];
        for (const [n, { rounds, loads, notice }] of turns.entries()) {
          history.push(facts, user(`Question ${n}`));
          for (const [r, size] of rounds.entries()) {
            history.push(...round(`${n}.${r}`, size));
            if (loads) history.push({ kind: 'loaded', skills: [], callIds: {} });
            if (notice) history.push({ kind: 'notice', text: 'n' });
          }
          if (n < turns.length - 1 || ended) history.push(says());
        }
        if (ended) history.push(facts, user('Question last'));
        const cut = cutHistory(history, 0, keep);
        if (!cut) return;
        const rest = [...cut.carried, ...history.slice(cut.from)];
        expect(repair(rest).repairs).toEqual([]);
        expect(repair(history.slice(0, cut.from)).repairs).toEqual([]);
        expect(rest.filter((item) => item.kind === 'user').at(-1)).toEqual(user(ended ? 'Question last' : `Question ${turns.length - 1}`));
      }),
    );
  });
});

describe('a transcript', () => {
  it('says who said what, what was called and what it gave, shortened, and no instructions', () => {
    const skill = { slug: 'memo', version: '1.0.0', digest: 'a'.repeat(64), instructions: 'Sign with the owl.', source: 'platform' as const };
    const image: HistoryItem = { kind: 'user', content: [{ type: 'text', text: 'Look' }, { type: 'image_url', image_url: { url: 'data:x' } }] };
    const texts = transcriptOf([summary, facts, image, ...round('a', 5_000), { kind: 'loaded', skills: [skill], callIds: {} }, says()]);
    expect(texts[2]).toBe('User: Look\n[image]');
    expect(texts[3]).toBe('Assistant called docs_read with {}');
    expect(texts[4]).toMatch(/^Result of docs_read: word [^]*characters cut from the middle/);
    expect(texts[5]).toBe('(The skill memo@1.0.0 was loaded.)');
    expect(texts.join()).not.toMatch(/owl|data:/);
  });
});
