import { describe, expect, it } from '@jest/globals';
import { parseSkill } from './parse.js';
import { bytes, header, parse, problemsOf, rulesOf } from './skill-file.fixture.js';

describe('a broken header opens nothing and says where', () => {
  it('an unquoted colon: line, column and how to quote', () => {
    expect(problemsOf(parse('name: memo\ndescription: Plan a launch: budget, owners, dates\nallowed-tools: docs_read'))).toEqual([
      {
        rule: 'yaml-colon',
        severity: 'error',
        line: 3,
        column: 27,
        message:
          'The value of "description" holds a colon before a blank, which YAML reads as a new key; ' +
          'put the value into quotes: description: "Plan a launch: budget, owners, dates"',
      },
    ]);
  });

  it.each([
    ['no header', 'Just text', 'header-missing', 1, 1],
    ['an empty line above the header', `\n---\n${header}\n---\nx`, 'header-missing', 1, 1],
    ['four dashes', `----\n${header}\n----\nx`, 'header-missing', 1, 1],
    ['no closing fence', `---\n${header}\n`, 'header-unclosed', 4, 1],
    ['an empty header', '---\n---\nx', 'yaml-shape', 2, 1],
    ['a header that is a list', '---\n- a\n---\nx', 'yaml-shape', 2, 1],
    ['a tab as indentation', `---\nname: memo\nmetadata:\n\ta: b\n---\nx`, 'yaml-tab', 4, 1],
    ['a reserved character', '---\nname: memo\ndescription: @home\n---\nx', 'yaml-syntax', 3, 14],
    ['a doubled key', `---\n${header}\nname: memo\n---\nx`, 'yaml-duplicate', 4, 1],
    ['a doubled key in metadata', `---\n${header}\nmetadata:\n  a: b\n  a: c\n---\nx`, 'yaml-duplicate', 6, 3],
    ['an alias', `---\nname: memo\ndescription: *x\n---\nx`, 'yaml-alias', 3, 14],
    ['an anchor', `---\nname: memo\ndescription: &x text\n---\nx`, 'yaml-anchor', 3, 17],
    ['a tag', `---\nname: memo\ndescription: !!str 12\n---\nx`, 'yaml-tag', 3, 20],
    ['a merge key', `---\n${header}\n<<: {license: MIT}\n---\nx`, 'key-unknown', 4, 1],
    ['a second document inside', `---\n${header}\n...\nhidden: true\n---\nx`, 'yaml-document', 4, 1],
    ['a directive', `---\n%YAML 1.1\n${header}\n---\nx`, 'yaml-document', 2, 1],
    ['nothing below it', `---\n${header}\n---\n \n\t\n`, 'body-empty', 5, 1],
    ['only a byte-order mark below it', `---\n${header}\n---\n\uFEFF\n`, 'body-empty', 5, 1],
    ['a NUL', `---\n${header}\n---\nx\0y`, 'file-binary', undefined, undefined],
  ])('%s', (_what, text, rule, line, column) => {
    const parsed = parseSkill(bytes(text), 'memo');
    expect(parsed.ok).toBe(false);
    expect(problemsOf(parsed)[0]).toMatchObject(line === undefined ? { rule } : { rule, line, column });
  });

  it('the same place with Windows line ends', () => {
    expect(problemsOf(parseSkill(bytes('\uFEFF---\r\nname: memo\r\ndescription: Plan: x\r\n---\r\nx'), 'memo'))[0]).toMatchObject({
      rule: 'yaml-colon',
      line: 3,
      column: 18,
    });
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF---\n${header}\n---\nx`, 'utf16le'), 'file-encoding'],
    ['Latin-1', Buffer.from(`---\nname: memo\ndescription: Für\n---\nx`, 'latin1'), 'file-encoding'],
    ['129 KiB', Buffer.alloc(129 * 1024, 'x'), 'file-size'],
  ])('a file of %s', (_what, content, rule) => {
    expect(rulesOf(parseSkill(content, 'memo'))).toEqual([rule]);
  });

  it.each([
    ['flow lists', '['.repeat(60_000)],
    ['flow maps', '{a: '.repeat(20_000)],
    ['compact lists', '- '.repeat(60_000)],
    ['compact keys', 'a: '.repeat(40_000)],
    ['complex keys', '? '.repeat(60_000)],
    ['indented keys', Array.from({ length: 450 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('ten thousands of nested %s do not take the process down', (_what, bomb) => {
    expect(rulesOf(parse(bomb))).toEqual(['yaml-depth']);
  });

  it('an alias bomb is refused before it grows', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(', ')}]`;
    const bomb = [
      'a: &a [x, x]',
      level('b', 'a'),
      level('c', 'b'),
      level('d', 'c'),
      level('e', 'd'),
      level('f', 'e'),
      level('g', 'f'),
    ].join('\n');
    expect(new Set(rulesOf(parse(bomb)))).toEqual(new Set(['yaml-anchor', 'yaml-alias']));
  });
});
