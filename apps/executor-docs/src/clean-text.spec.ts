import { describe, expect, it } from '@jest/globals';
import { cleanText } from './clean-text.js';

describe('cleanText', () => {
  it('puts back the backslash of a fraction that JSON turned into a form feed, and says so', () => {
    const { text, notes } = cleanText(JSON.parse('"$\\frac{1}{2}$ and <select> & co"') as string);
    expect(text).toBe('$\\frac{1}{2}$ and <select> & co');
    expect(notes).toEqual([expect.stringContaining('write a backslash as two')]);
  });

  it.each([
    ['a beta', 'x\beta y', 'x\\beta y'],
    ['an environment', '\begin{matrix}', '\\begin{matrix}'],
  ])('puts back %s that JSON turned into a backspace', (_what, given, text) => {
    expect(cleanText(given).text).toBe(text);
  });

  it.each([
    ['a tab in a formula', '$a \times b$', '\\times'],
    ['a line end in a formula', '$a \neq b$', '\\neq'],
    ['a carriage return in a formula', '$\rho$', '\\rho'],
  ])('only tells of %s, since it may be meant', (_what, given, command) => {
    const { text, notes } = cleanText(given);
    expect(text).toBe(given.replace('\r', '\n'));
    expect(notes.join()).toContain(`perhaps ${command}`);
  });

  it('says nothing of a word such as "to" at the start of a line of prose', () => {
    expect(cleanText('We went\nto town and\tto bed; it cost $5.')).toEqual({
      text: 'We went\nto town and\tto bed; it cost $5.',
      notes: [],
    });
  });

  it.each([
    ['a form feed between pages', 'one\ftwo', 'one\ntwo'],
    ['a NUL', 'a\u0000b', 'ab'],
    ['a terminal colour', '\u001b[31mred', '[31mred'],
    ['a non-character', 'a\uffffb', 'ab'],
  ])('takes out %s and counts it', (_what, given, text) => {
    const clean = cleanText(given);
    expect(clean.text).toBe(text);
    expect(clean.notes).toEqual(['1 control character(s) that have no place in a document were taken out.']);
  });

  it('replaces half of an emoji and leaves a whole one', () => {
    const { text, notes } = cleanText('ok \u{1F600} broken \ud83d end');
    expect(text).toBe('ok \u{1F600} broken \ufffd end');
    expect(notes).toHaveLength(1);
  });

  it('leaves text in any script alone', () => {
    const text = '日本語 · العربية · עברית · Ünïcödé · 👩‍👩‍👧 · e\u0301 · \u0085';
    expect(cleanText(text)).toEqual({ text, notes: [] });
  });

  it('reads every kind of line end as one', () => {
    expect(cleanText('a\r\nb\rc\nd').text).toBe('a\nb\nc\nd');
  });
});
