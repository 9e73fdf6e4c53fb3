import { describe, expect, it } from '@jest/globals';
import { parseRouting } from './routing.js';

const parse = (text: string) => parseRouting(Buffer.from(text));
const rulesOf = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.problems.map(({ rule, line }) => `${rule}:${line}`);
};

describe('parseRouting', () => {
  it('reads three lists of sentences', () => {
    expect(
      parse(
        '\uFEFFpositives:\r\n  - Write a memo\r\n  - "Summarise: one page"\r\nnegatives: [What time is it?]\r\n' +
          'near:\r\n  - >-\r\n    Minutes of\r\n    our meeting\r\n',
      ),
    ).toEqual({
      ok: true,
      routing: { positives: ['Write a memo', 'Summarise: one page'], negatives: ['What time is it?'], near: [{ request: 'Minutes of our meeting', line: 6 }] },
    });
  });

  it('reads what a near miss is for: another skill, or none', () => {
    expect(parse('positives: [a memo]\nnear:\n  - a chart\n  - { request: "Minutes, please", loads: meeting-notes }\n  - request: a joke\n    loads: none')).toMatchObject({
      routing: {
        near: [
          { request: 'a chart', line: 3 },
          { request: 'Minutes, please', loads: 'meeting-notes', line: 4 },
          { request: 'a joke', loads: null, line: 5 },
        ],
      },
    });
  });

  it('lets the lists of unrelated and near sentences be absent', () => {
    expect(parse('positives: [a memo]')).toEqual({ ok: true, routing: { positives: ['a memo'], negatives: [], near: [] } });
  });

  it.each([
    ['no positives', 'negatives: [a]', ['routing-empty:1']],
    ['an unknown list', 'positives: [a]\npositive: [b]', ['key-unknown:2']],
    ['a text in place of a list', 'positives: a', ['type:1', 'routing-empty:1']],
    ['a number as a sentence', 'positives:\n  - a\n  - 12', ['type:3']],
    ['an empty sentence', 'positives:\n  - a\n  - ""', ['routing-sentence:3']],
    ['a sentence that is a document', `positives:\n  - a\n  - ${'x'.repeat(501)}`, ['routing-sentence:3']],
    ['one sentence in two lists', 'positives: [A memo]\nnear: [a  memo]', ['routing-twice:2']],
    ['a near miss without a request', 'positives: [a]\nnear: [{loads: memo}]', ['routing-near:2']],
    ['a near miss that loads no possible skill', 'positives: [a]\nnear: [{request: b, loads: Meeting Notes}]', ['routing-near:2']],
    ['a near miss that loads a null', 'positives: [a]\nnear: [{request: b, loads: }]', ['routing-near:2']],
    ['a near miss with a misspelt key', 'positives: [a]\nnear: [{request: b, load: memo}]', ['key-unknown:2']],
    ['a near miss that is a positive too', 'positives: [a]\nnear: [{request: A, loads: none}]', ['routing-twice:2']],
    ['a map among the positives', 'positives: [{request: b, loads: none}]', ['type:1', 'routing-empty:1']],
    ['an unquoted colon', 'positives:\n  - Write: a memo: now', ['yaml-syntax:2']],
  ])('refuses %s', (_what, text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });
});
