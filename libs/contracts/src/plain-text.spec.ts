import { describe, expect, it } from '@jest/globals';
import { displayName, isPlainText } from './plain-text.js';

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

  it('says what to do about it', () => {
    expect(displayName.safeParse('a\0').error?.issues[0]?.message).toContain('leave that character out');
  });
});
