import { describe, expect, it } from '@jest/globals';
import { skippedIn, termsOfQuery, termsOfText } from './passage-terms.js';
import { snippetOf } from './snippet.js';

const finds = (query: string, text: string): boolean => {
  const terms = new Set(termsOfText(text, 1_000));
  return termsOfQuery(query, 32).some((word) => word.terms.some((term) => terms.has(term)));
};

describe('a passage', () => {
  it.each([
    ['another form of an English word', 'renting', 'What does it cost to rent the flat, and who has rented it?'],
    ['another form of a German word', 'Mieten', 'Die Miete für die Wohnung ist zu hoch.'],
    ['a French word without its accents', 'societe', 'Les sociétés anonymes dans la région.'],
    ['a Russian word in another case', 'квартира', 'Сколько стоит аренда этой квартиры в городе?'],
    ['a Japanese word inside a sentence', '家賃', '来月の家賃を払うのを忘れないでください。'],
    ['a Chinese word inside a sentence', '房租', '我要付房租。'],
    ['a Korean word with a particle', '월세', '이번 달 월세를 냈어요.'],
    ['a Thai word inside a sentence', 'ค่าเช่า', 'ฉันต้องจ่ายค่าเช่าบ้านเดือนนี้'],
    ['a name with digits', 'Q3-2026', 'The numbers of Q3-2026 are in.'],
    ['full-width letters', 'ＡＢＣ', 'The ABC of it.'],
  ])('is found by %s', (_, query, text) => expect(finds(query, text)).toBe(true));

  it.each([
    ['a stop word of its language', 'the', 'What does the flat cost?'],
    ['another word', 'zebra', 'What does the flat cost?'],
    ['nothing', '?!', 'What?!'],
  ])('is not found by %s', (_, query, text) => expect(finds(query, text)).toBe(false));

  it('is not looked for by words that stand everywhere in its language, and whoever asks is told which', () => {
    expect(skippedIn('Again, the rent', 32)).toEqual([
      { word: 'again', languages: ['en'] },
      { word: 'the', languages: expect.arrayContaining(['en']) },
    ]);
    expect(skippedIn('rent flat 家賃', 32)).toEqual([]);
  });

  it('has each term once, and no more of them than were allowed', () => {
    expect(termsOfText('rent rent rented', 10)).toEqual(['rent', 'rented']);
    expect(termsOfText('one two three four five six', 3)).toHaveLength(3);
  });

  it('is asked for by each word of the query once, and no more of them than were allowed', () => {
    expect(termsOfQuery('rent rent flat house', 2).map(({ word }) => word)).toEqual(['rent', 'flat']);
  });
});

describe('a snippet', () => {
  const asked = (query: string) => new Set(termsOfQuery(query, 32).flatMap(({ terms }) => terms));
  const long = `${'Nothing to see here at all. '.repeat(40)}The landlord raised\n\nthe rent of the flat. ${'And so it goes on and on. '.repeat(40)}`;

  it('shows the place with most of the words, on one line, and that something was left out', () => {
    const snippet = snippetOf(long, asked('rent flat landlord'), 160);
    expect(snippet).toMatch(/^… .*The landlord raised the rent of the flat\..* …$/);
    expect(snippet.length).toBeLessThan(200);
  });

  it('is the whole of a short text, and the beginning of one that holds nothing', () => {
    expect(snippetOf('Who pays the rent?', asked('rent'), 160)).toBe('Who pays the rent?');
    expect(snippetOf(long, asked('zebra'), 60)).toMatch(/^Nothing to see here .* …$/);
  });

  it('cuts a script without blanks too, and no character in half', () => {
    expect(snippetOf('猫'.repeat(500), asked('猫'), 100).length).toBeLessThanOrEqual(105);
    expect(snippetOf('😀'.repeat(500), asked('x'), 101).isWellFormed()).toBe(true);
  });
});
