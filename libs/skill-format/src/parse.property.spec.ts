import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSkill } from './parse.js';

// Pieces out of which broken headers are made; plain random text would never get past the first fence.
const piece = fc.constantFrom(
  ...[
    '---',
    '\n',
    '\r\n',
    '\r',
    '\uFEFF',
    'name: memo',
    'description: ',
    'metadata:',
    '  skillgate.version: ',
    '"1.0.0"',
    '>-',
    '|',
    '[',
    ']',
    '{',
    '}',
    '- ',
  ],
  ...[
    '? ',
    ': ',
    '#',
    ' #',
    '&a ',
    '*a',
    '!!str ',
    '%',
    '...',
    "'",
    '"',
    '\\',
    '\t',
    '  ',
    'allowed-tools: ',
    'a b, c',
    '<',
    '\u202e',
    '\u{E0041}',
    '\0',
    'Body',
  ],
);

describe('parseSkill', () => {
  it('answers whatever bytes it gets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, folder) => {
        expect(typeof parseSkill(bytes, folder).ok).toBe('boolean');
      }),
    );
  });

  it('gives a usable skill or at least one error with a place inside the file, for any mixture of YAML', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = `---\nname: memo\n${pieces.join('')}`;
        const parsed = parseSkill(Buffer.from(text), 'memo');
        if (parsed.ok) {
          expect(parsed.skill.slug).toBe('memo');
          expect(parsed.skill.body).not.toBe('');
          expect(parsed.skill.description).toMatch(/^[^\n\r<>\t]{1,1024}$/u);
        } else {
          const lines = text.split(/\r\n?|\n/).length;
          expect(parsed.problems.length).toBeGreaterThan(0);
          for (const { severity, line = 1, column = 1, message } of parsed.problems) {
            expect(severity).toBe('error');
            expect(message.length).toBeGreaterThan(20);
            expect(line >= 1 && line <= lines + 1 && column >= 1).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('gives one record for one text, whatever its line ends and marks', () => {
    const line = fc.constantFrom('Text', '', '  indented', '# Title', '- item', '---');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), (body, end, mark) => {
        const lines = ['---', 'name: memo', 'description: >-', '  one', '  two', '---', ...body];
        const saved = (mark ? '\uFEFF' : '') + lines.join(end);
        expect(parseSkill(Buffer.from(saved), 'memo')).toEqual(parseSkill(Buffer.from(lines.join('\n')), 'memo'));
      }),
    );
  });
});
