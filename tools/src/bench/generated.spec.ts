import { describe, expect, it } from '@jest/globals';
import { generateAccounts, generateFacts } from './generate-accounts.js';
import { generateCatalog } from './generate-skills.js';
import { quantile } from './quantile.js';
import { seeded, zipf } from './seeded.js';

describe('what a bench measures', () => {
  it('is the same in every run', () => {
    expect(generateCatalog(20, 5)).toEqual(generateCatalog(20, 5));
    expect(generateAccounts(50, ['a', 'b', 'c'])).toEqual(generateAccounts(50, ['a', 'b', 'c']));
    expect(generateFacts(50)).toEqual(generateFacts(50));
  });

  it('is another thing with another seed', () => {
    expect(generateCatalog(20, 5, 7)).not.toEqual(generateCatalog(20, 5));
  });

  it('has bodies of 300 to 1,100 words and queries of 4 to 9', () => {
    const { skills, queries } = generateCatalog(40, 40);
    const words = (text: string) => text.split(/[\s#]+/).filter(Boolean).length;
    for (const { body } of skills) expect([words(body) >= 300, words(body) <= 1_100]).toEqual([true, true]);
    for (const query of queries) expect([words(query) >= 4, words(query) <= 9]).toEqual([true, true]);
  });

  it('uses words as a language does: the first ten of a thousand more often than the last five hundred', () => {
    const next = zipf(1_000, seeded(1));
    const drawn = Array.from({ length: 5_000 }, next);
    expect(drawn.filter((rank) => rank < 10).length).toBeGreaterThan(drawn.filter((rank) => rank >= 500).length);
  });
});

describe('a quantile', () => {
  it('is the value below which that part lies, in whatever order they come', () => {
    expect([quantile([3, 1, 2], 0.5), quantile([5, 1, 4, 2, 3], 0.99), quantile([7], 0.5)]).toEqual([2, 5, 7]);
  });
});
