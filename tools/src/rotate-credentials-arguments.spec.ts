import { describe, expect, it } from '@jest/globals';
import { rotateArguments } from './rotate-credentials-arguments.js';

describe('the words of bin/skillgate rotate-credentials', () => {
  it('may be none at all', () => {
    expect(rotateArguments([])).toEqual({ batch: 100, json: false, help: false, url: undefined, state: undefined });
  });

  it.each([
    [['--batch', '0'], 'no number from 1 to 500'],
    [['--batch', 'many'], 'no number from 1 to 500'],
    [['--url', 'house'], 'no http:// or https:// address'],
    [['--key', 'sk-sg-x'], 'Unknown option'],
    [['now'], 'Unexpected argument'],
  ])('%j are refused', (words, message) => {
    expect(() => rotateArguments(words)).toThrow(message);
  });
});
