import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageOf } from './page-text.js';

describe('a page of text', () => {
  it('ends at a line end, or else a blank, when one is near', () => {
    expect(pageOf(`${'a'.repeat(95)}\nbbb ccc`, 0, 100)).toMatchObject({ text: `${'a'.repeat(95)}\n`, next_offset: 96 });
    expect(pageOf(`${'a'.repeat(95)} bbbbbbb`, 0, 100)).toMatchObject({ next_offset: 96 });
    expect(pageOf('a'.repeat(150), 0, 100)).toMatchObject({ next_offset: 100 });
  });

  it('never cuts a character in two, and the pages together are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
        const pages: string[] = [];
        for (let offset: number | null = 0; offset !== null;) {
          const page = pageOf(text, offset, limit);
          pages.push(page.text);
          offset = page.next_offset;
        }
        expect(pages.join('')).toBe(text);
        for (const page of pages) expect(page).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
        for (const page of pages.slice(0, -1)) expect(page.length).toBeGreaterThan(0);
      }),
    );
  });
});
