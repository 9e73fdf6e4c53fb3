import { describe, expect, it } from '@jest/globals';
import { parseSkill } from './parse.js';
import { file, header, parse, rulesOf, skillOf } from './skill-file.fixture.js';

describe('allowed-tools', () => {
  it.each([
    ['blanks', 'docs_create docs_edit'],
    ['commas', 'docs_create, docs_edit'],
    ['a YAML list', '[docs_create, docs_edit]'],
    ['a YAML list on lines', '\n  - docs_create\n  - docs_edit'],
    ['a doubled name', 'docs_create docs_edit docs_create'],
  ])('gives the same set from %s', (_how, value) => {
    expect(skillOf(parse(`${header}\nallowed-tools: ${value}`)).allowedTools).toEqual(['docs_create', 'docs_edit']);
  });

  it.each([
    ['nothing', '', 'list-empty'],
    ['separators', '", ,"', 'list-empty'],
    ['an empty list', '[]', 'list-empty'],
    ['a number', '7', 'type'],
    ['a list with a number', '[docs_read, 7]', 'type'],
    ['a wrong separator', 'docs_create;docs_edit', 'list-entry'],
    ['a star', '"*"', 'list-entry'],
  ])('is an error and never "everything" when it holds %s', (_what, value, rule) => {
    const parsed = parse(`${header}\nallowed-tools: ${value}`);
    expect(parsed.ok).toBe(false);
    expect(rulesOf(parsed)).toContain(rule);
  });

  it('keeps argument patterns of other agents in one piece', () => {
    expect(skillOf(parse(`${header}\nallowed-tools: Read, Bash(git add:*) Grep`)).allowedTools).toEqual([
      'Read',
      'Bash(git add:*)',
      'Grep',
    ]);
  });

  it('refuses a name that does not exist here when it knows what does', () => {
    expect(rulesOf(parseSkill(file(`${header}\nallowed-tools: docs_reed`), 'memo', { tools: ['docs_read'] }))).toEqual(['list-unknown']);
  });
});
