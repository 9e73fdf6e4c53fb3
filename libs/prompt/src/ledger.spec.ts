import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { baseTools } from './base-tools.js';
import { capResult } from './cap-result.js';
import type { ChatMessage } from './chat-message.js';
import { countTokens } from './count-tokens.js';
import type { HistoryItem } from './history.js';
import { measureRequest } from './ledger.js';
import { loadedTexts } from './loaded-block.js';
import type { ModelEntry } from './models.js';
import { project } from './project-history.js';

describe('countTokens', () => {
  it('counts prose as the tokenizer does', () => {
    const prose = 'The quick brown fox jumps over the lazy dog. Das ist ein Satz – mit Umlauten: äöü.\n\n- a list\n'.repeat(40);
    expect(countTokens(prose)).toBe(encode(prose).length);
    expect(countTokens(prose)).toBe(countTokens(prose));
    expect(countTokens('')).toBe(0);
  });

  it('counts the marks of models as text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('is close to the tokenizer for one unbroken run: a token or two more for each 256 characters', () => {
    const run = 'abcdefghij'.repeat(300);
    const exact = encode(run).length;
    expect(countTokens(run)).toBeGreaterThanOrEqual(exact);
    expect(countTokens(run)).toBeLessThanOrEqual(exact + 2 * Math.ceil(run.length / 256));
  });

  it.each([
    ['Chinese', '日本語'.repeat(50_000)],
    ['blanks', ' '.repeat(200_000)],
    ['one letter', 'a'.repeat(200_000)],
    ['words of 256 letters', `${'b'.repeat(256)} `.repeat(500)],
  ])('takes 200,000 characters of %s in well under two seconds', (_what, text) => {
    const start = performance.now();
    expect(countTokens(text)).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('capResult', () => {
  it('leaves alone what fits', () => {
    expect(capResult('short', { limit: 5, unit: 'characters' })).toEqual({ text: 'short', cut: 0 });
    expect(capResult('short', { limit: 5, unit: 'tokens' })).toEqual({ text: 'short', cut: 0 });
    expect(capResult('😀'.repeat(5), { limit: 5, unit: 'characters' }).cut).toBe(0);
  });

  it('keeps head and tail and says how much is missing and where it is', () => {
    expect(capResult('0123456789'.repeat(10), { limit: 10, unit: 'characters', rest: 'all of it is in art_1' })).toEqual({
      text: '0123456\n[… 90 characters cut from the middle; all of it is in art_1 …]\n789',
      cut: 90,
    });
  });

  it('brings 4 MB down to the limit, quickly', () => {
    const log = 'line 12345: something happened here, again\n'.repeat(100_000);
    const start = performance.now();
    const { text, cut } = capResult(log, { limit: 2_000, unit: 'tokens' });
    expect(performance.now() - start).toBeLessThan(500);
    expect(countTokens(text)).toBeLessThan(2_050);
    expect(countTokens(text)).toBeGreaterThan(1_500);
    expect(cut).toBeGreaterThan(4_000_000);
  });

  it('never splits a character and never loses count, for any text and limit', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '日', '😀', '👩‍💻'), maxLength: 200 });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: -1, max: 60 }),
        fc.constantFrom('tokens' as const, 'characters' as const),
        (text, limit, unit) => {
          const capped = capResult(text, { limit, unit });
          if (capped.cut === 0) expect(capped.text).toBe(text);
          const [head = '', tail = ''] = capped.text.split(/\n?\[… \d+ characters cut from the middle …\]\n?/);
          expect(/\p{Cs}/u.test(capped.text)).toBe(false);
          if (capped.cut !== 0) {
            expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
            expect(capped.cut).toBeGreaterThan(0);
            if (unit === 'characters') expect(capped.cut + Math.max(0, limit)).toBe(Array.from(text).length);
          }
        },
      ),
    );
  });
});

describe('measureRequest', () => {
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
  const skill = {
    slug: 'memo',
    version: '1.0.0',
    digest: 'a'.repeat(64),
    instructions: 'Write the memo in one page. '.repeat(30),
    source: 'platform' as const,
  };
  const history: HistoryItem[] = [
    { kind: 'user', content: 'Write a memo' },
    { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'load_skill', arguments: '{"slug":"memo"}' }] },
    { kind: 'result', callId: 'c', content: 'loaded' },
    { kind: 'loaded', skills: [skill], callIds: { memo: 'c' } },
  ];
  const prefix = { base: 'You are an assistant.', catalog: '<available_skills>\n- memo: Memos.\n</available_skills>' };
  const measure = (items: HistoryItem[], model: ModelEntry, more = {}) =>
    measureRequest({
      prefix,
      messages: project(`${prefix.base}\n\n${prefix.catalog}`, items, model),
      tools: [...baseTools],
      loadedTexts: loadedTexts(items, model),
      monolith: { bodiesTokens: 50_000, allToolsTokens: 20_000, ...more },
    });

  it('counts each part for itself', () => {
    const ledger = measure(history, entry);
    const calls = JSON.stringify([{ id: 'c', type: 'function', function: { name: 'load_skill', arguments: '{"slug":"memo"}' } }]);
    expect(ledger).toEqual({
      base: countTokens(prefix.base),
      catalog: countTokens(prefix.catalog),
      loaded: countTokens(loadedTexts(history, entry)[0]!),
      tools: countTokens(JSON.stringify(baseTools)),
      conversation: countTokens('Write a memo') + countTokens(calls) + countTokens('loaded'),
      monolith: countTokens(prefix.base) + 70_000 + ledger.conversation,
    });
  });

  it('counts a loaded skill once wherever it rides', () => {
    const careful: ModelEntry = { ...entry, instructions: 'tool-result' };
    expect(measure(history, careful).loaded).toBe(measure(history, entry).loaded);
    expect(Math.abs(measure(history, careful).conversation - measure(history, entry).conversation)).toBeLessThanOrEqual(1);
  });

  it('takes the conversation of the first call for the monolith when told', () => {
    expect(measure(history, entry, { firstConversation: 7 }).monolith).toBe(countTokens(prefix.base) + 70_000 + 7);
  });

  it('counts no image and no part that is not there', () => {
    const messages: ChatMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } },
        ],
      },
    ];
    const ledger = measureRequest({
      prefix: { base: 'x', catalog: '' },
      messages,
      tools: [],
      loadedTexts: [],
      monolith: { bodiesTokens: 0, allToolsTokens: 0 },
    });
    expect(ledger).toEqual({
      base: 1,
      catalog: 0,
      loaded: 0,
      tools: 0,
      conversation: countTokens('Look'),
      monolith: 1 + countTokens('Look'),
    });
  });
});
