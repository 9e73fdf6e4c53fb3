import { describe, expect, it } from '@jest/globals';
import { asName, displayName, escapeUnseen, faultOfText, isPlainText } from './plain-text.js';

describe('plain text', () => {
  it.each([
    ['letters of any script and emoji', 'Zoë 東京 🦀', true],
    ['line breaks and tabs', 'a\n\tb', true],
    ['U+0000', 'a\0b', false],
    ['half of a surrogate pair', 'a\ud83eb', false],
    ['the other half', '\udd80', false],
  ])('%s: %j is %s', (_what, text, plain) => {
    expect(isPlainText(text)).toBe(plain);
  });
});

describe('a name', () => {
  it.each([
    ['letters of any script', 'Zoë 東京'],
    ['a single sign', '?'],
    ['signs', "Ann O'Neil & Søn (ltd.) #1"],
    ['emoji', '🦀 ❤️ 👍🏽 1️⃣'],
    ['emoji that are joined', '👩🏽‍💻 👨‍👩‍👧 🏳️‍🌈'],
    ['a Persian word with its joiner', 'می‌خواهم'],
    ['a Hindi word with its joiner', 'क्‍ष'],
    ['an accent of its own', 'Zoe\u0308'],
    ['a blank that does not break', 'Ann\u00a0Example'],
  ])('may have %s: %j', (_what, text) => {
    expect(displayName.safeParse(text)).toEqual({ success: true, data: text });
    expect(asName(text)).toBe(text);
  });

  it.each([
    ['U+0000', 'a\0b', 'U+0000'],
    ['half of a surrogate pair', 'a\ud83eb', 'U+D83E'],
    ['a line break', 'a\nb', 'U+000A'],
    ['a carriage return', 'a\rb', 'U+000D'],
    ['a tab', 'a\tb', 'U+0009'],
    ['an escape', 'a\u001b[31mb', 'U+001B'],
    ['a control character above ASCII', 'a\u0085b', 'U+0085'],
    ['a line separator', 'a\u2028b', 'U+2028'],
    ['a paragraph separator', 'a\u2029b', 'U+2029'],
    ['a direction', 'Ann\u202egnp.exe', 'U+202E'],
    ['an isolate', 'a\u2066b\u2069', 'U+2066'],
    ['a direction mark', 'a\u200eb', 'U+200E'],
    ['a zero width space', 'ad\u200bmin', 'U+200B'],
    ['a joiner between Latin letters', 'ad\u200dmin', 'U+200D'],
    ['a soft hyphen', 'ad\u00admin', 'U+00AD'],
    ['a byte order mark', '\ufeffadmin', 'U+FEFF'],
    ['a filler', 'a\u3164', 'U+3164'],
    ['tags', 'a\u{e0041}', 'U+E0041'],
    ['a variation of a letter', 'a\ufe0f', 'U+FE0F'],
  ])('has no %s: %j', (_what, text, code) => {
    expect(displayName.safeParse(text).error?.issues[0]?.message).toContain(`(${code}); leave that character out`);
    expect(displayName.safeParse(asName(text)).success).toBe(true);
  });

  it.each(['', ' ', '\u00a0\u3000 ', '\u2800', '\u0308'])('is seen: not %j', (text) => {
    expect(displayName.safeParse(text).success).toBe(false);
  });

  it('has at most 100 units', () => {
    expect(displayName.safeParse('x'.repeat(101)).success).toBe(false);
  });
});

describe('a text of several lines', () => {
  it.each([
    ['line feeds, tabs and emoji', 'a\n\tb 👩🏽‍💻', undefined],
    ['a carriage return', 'a\rb', 'U+000D'],
    ['an escape', 'a\u001b[2Kb', 'U+001B'],
    ['a direction', 'a\u202eb', 'U+202E'],
  ])('with %s: %j', (_what, text, code) => {
    if (code === undefined) expect(faultOfText(text)).toBeUndefined();
    else expect(faultOfText(text)).toContain(code);
  });
});

describe('what is printed of a text from outside', () => {
  it.each([
    ['Zoë 東京 👩🏽‍💻', 'Zoë 東京 👩🏽‍💻'],
    ['1.0\r\u001b[2Kapproved\nx', '1.0\\u000d\\u001b[2Kapproved\\u000ax'],
    ['a\u202eb\u0085\u200b', 'a\\u202eb\\u0085\\u200b'],
    ['tag \u{e0041}', 'tag \\udb40\\udc41'],
  ])('%j is one line, all of it seen', (text, shown) => {
    expect(escapeUnseen(text)).toBe(shown);
    expect(JSON.parse(escapeUnseen(JSON.stringify(text)))).toBe(text);
  });
});
