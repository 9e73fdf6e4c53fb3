import { describe, expect, it } from '@jest/globals';
import { readCatalog } from './catalog.js';

const read = (...system: string[]): Record<string, string> =>
  Object.fromEntries(readCatalog(system).map((line) => [line.slug, line.description]));

describe('reading the catalog', () => {
  it('reads lines, entities undone, behind prose that names the mark', () => {
    const text =
      'Look into <available_skills> first.\n- Say it plainly: yes.\n\n<available_skills>\n- plant-digest: Sum up &lt;long&gt; journals &amp; notes.\n- seeds: Order.\n</available_skills>';
    expect(read(text)).toEqual({ 'plant-digest': 'Sum up <long> journals & notes.', seeds: 'Order.' });
  });

  it('reads elements with attributes, children or text', () => {
    const text =
      '<available_skills><skill slug="a-b" description="One &amp; two"/><skill><name>c</name><description>Three</description></skill><skill name="d">Four\n lines</skill></available_skills>';
    expect(read(text)).toEqual({ 'a-b': 'One & two', c: 'Three', d: 'Four lines' });
  });

  it('follows notices of what came and went', () => {
    const frozen = '<available_skills>\n- a: Apples.\n- b: Pears.\n</available_skills>';
    expect(read(frozen, 'The list of skills has changed:\n- now also available: c: Plums.\n- no longer available: a')).toEqual({
      b: 'Pears.',
      c: 'Plums.',
    });
  });

  it('finds nothing where there is no block', () => expect(read('- a: Apples.')).toEqual({}));
});
