import { describe, expect, it } from '@jest/globals';
import { isWholeSentence, splitSentences } from './sentences.js';

describe('splitting a paragraph into sentences', () => {
  it.each([
    ['Frost came. Plants died!', ['Frost came.', 'Plants died!']],
    [
      'Use a cover, e.g. Fleece from Dr. Moss, by 5 p.m. today. Then wait.',
      ['Use a cover, e.g. Fleece from Dr. Moss, by 5 p.m. today.', 'Then wait.'],
    ],
    ['It rose by 2.5 degrees. Version 1.2 is out.', ['It rose by 2.5 degrees.', 'Version 1.2 is out.']],
    ['“Stop.” He did. (So did she.) All well.', ['“Stop.”', 'He did.', '(So did she.)', 'All well.']],
    ['See plan.md for more. J. Smith wrote it.', ['See plan.md for more.', 'J. Smith wrote it.']],
    ['霜が降りた。苗は枯れた。', ['霜が降りた。', '苗は枯れた。']],
    ['No end here', ['No end here']],
  ])('%s', (paragraph, sentences) => expect(splitSentences(paragraph)).toEqual(sentences));
});

describe('a whole sentence', () => {
  it.each(['Frost came.', '“Stop.”', '42 plants died.', '`tap` drips.'])('is %s', (text) => expect(isWholeSentence(text)).toBe(true));
  it.each(['frost came.', 'Frost came', 'Frost (in April came.', 'He said "no.', ''])('is not %s', (text) =>
    expect(isWholeSentence(text)).toBe(false),
  );
});
