import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildIndex } from './build-index.js';
import { overlaps, similarity } from './overlaps.js';

const invoices = { slug: 'invoice-check', description: 'Check supplier invoices for missing data. Use for "is this invoice right".' };
const bills = { slug: 'invoice-audit', description: 'Checks the invoices of suppliers for data that is missing. Use for "is the invoice right".' };
const slides = { slug: 'slide-deck', description: 'Build a presentation from an outline. Not for invoices.' };

describe('overlaps', () => {
  it('names both skills of a pair once, with the words that make them alike', () => {
    const [found, ...others] = overlaps(buildIndex([slides, invoices, bills]), 0.4);
    expect(found).toMatchObject({ a: 'invoice-audit', b: 'invoice-check' });
    expect(found!.shared).toEqual(expect.arrayContaining(['invoice', 'missing', 'data']));
    expect(others).toEqual([]);
  });

  it('does not count what a description says a skill is not for', () => {
    expect(similarity(buildIndex([invoices, slides]), 'invoice-check', 'slide-deck')).toBe(0);
  });

  it('does not count the instructions, which resemble each other in one house', () => {
    const body = 'Read the file. Answer with the finding first. Never send without a yes.';
    const index = buildIndex([{ ...invoices, body }, { ...slides, body }]);
    expect(overlaps(index, 0.01)).toEqual([]);
  });

  it('a skill that is not there is like nothing', () => {
    expect(similarity(buildIndex([invoices]), 'invoice-check', 'gone')).toBe(0);
  });

  it('for every catalog the pairs are those that compared one by one are alike enough', () => {
    const text = fc.array(fc.constantFrom('report', 'meeting', 'invoice', 'slide', 'chart', 'memo'), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
    const skill = fc.record({ slug: fc.constantFrom('a1', 'b2', 'c3', 'd4'), description: text });
    fc.assert(
      fc.property(fc.uniqueArray(skill, { selector: ({ slug }) => slug }), fc.constantFrom(0.2, 0.5, 0.8), (skills, atLeast) => {
        const index = buildIndex(skills);
        const slugs = skills.map(({ slug }) => slug).sort();
        const naive = slugs.flatMap((a, at) => slugs.slice(at + 1).map((b) => ({ a, b, similarity: similarity(index, a, b) }))).filter((pair) => pair.similarity >= atLeast + 1e-9);
        const found = overlaps(index, atLeast);
        expect(found.filter((pair) => pair.similarity >= atLeast + 1e-9).map(({ a, b }) => `${a} ${b}`).sort()).toEqual(naive.map(({ a, b }) => `${a} ${b}`).sort());
        for (const pair of found) expect(pair.similarity).toBeCloseTo(Math.min(1, similarity(index, pair.a, pair.b)), 9);
      }),
    );
  });
});
