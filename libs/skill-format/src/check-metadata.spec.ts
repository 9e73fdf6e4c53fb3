import { describe, expect, it } from '@jest/globals';
import { parseSkill } from './parse.js';
import { file, header, parse, problemsOf, rulesOf, skillOf } from './skill-file.fixture.js';

const withMetadata = (...lines: string[]) => parse(`${header}\nmetadata:\n  ${lines.join('\n  ')}`);

describe('metadata', () => {
  it('never makes text of a number: the version 1.10 is not 1.1', () => {
    expect(problemsOf(withMetadata('skillgate.version: 1.10'))).toEqual([
      {
        rule: 'type',
        severity: 'error',
        message: '"skillgate.version" must be text, and YAML reads 1.10 as a number; put it into quotes: skillgate.version: "1.10.0"',
        line: 5,
        column: 22,
      },
    ]);
  });

  it.each([
    ['a quoted version that is none', 'skillgate.version: "1.10"', 'metadata-value'],
    ['a version with a leading zero', 'skillgate.version: 1.0.01', 'metadata-value'],
    ['an unquoted truth value', 'skillgate.hidden: true', 'type'],
    ['a truth value of YAML 1.1', 'skillgate.hidden: yes', 'metadata-value'],
    ['an unknown state', 'skillgate.default: allways', 'metadata-value'],
    ['an unknown key of ours', 'skillgate.profile: docs', 'metadata-unknown'],
    ['a key of ours in upper case', 'Skillgate.profiles: docs', 'metadata-unknown'],
    ['a nested map', 'skillgate: {version: x}', 'type'],
    ['a YAML list', 'skillgate.profiles: [docs]', 'type'],
    ["somebody else's number", 'priority: 3', 'type'],
    ['an empty value', 'skillgate.profiles:', 'type'],
    ['a list of separators', 'skillgate.profiles: ","', 'list-empty'],
    ['a list of blanks', 'skillgate.tools: "  "', 'list-empty'],
    ['blanks around the bar', 'skillgate.integrations: gmail | outlook', 'list-entry'],
    ['an empty alternative', 'skillgate.integrations: gmail|', 'list-entry'],
    ['a wrong separator', 'skillgate.profiles: docs;analytics', 'list-entry'],
    ['either of two profiles', 'skillgate.profiles: docs|analytics', 'list-any-of'],
    ['an empty title', 'skillgate.title: ""', 'metadata-value'],
    ['a title with hidden characters', 'skillgate.title: "a\\u202eb"', 'metadata-value'],
  ])('may not hold %s', (_what, line, rule) => {
    expect(rulesOf(withMetadata(line)).every((found) => found === rule)).toBe(true);
    expect(rulesOf(withMetadata(line))).toContain(rule);
  });

  it('names near keys and values', () => {
    expect(problemsOf(withMetadata('skillgate.profile: docs'))[0]!.message).toBe(
      '"skillgate.profile" is no key of ours; did you mean skillgate.profiles?',
    );
    expect(problemsOf(withMetadata('skillgate.default: allways'))[0]!.message).toContain('did you mean always?');
  });

  it('takes blanks and commas in one text', () => {
    const lists = ['docs analytics', 'docs,analytics', 'docs, analytics', 'docs,  docs analytics,'];
    expect(lists.map((text) => skillOf(withMetadata(`skillgate.profiles: "${text}"`)).requires.profiles)).toEqual(
      Array(4).fill(['docs', 'analytics']),
    );
  });

  it('refuses names that do not exist here when it knows what does', () => {
    const parsed = parseSkill(file(`${header}\nmetadata:\n  skillgate.profiles: doc\n  skillgate.tools: docs_raed`), 'memo', {
      profiles: ['docs'],
      tools: ['docs_read'],
    });
    expect(problemsOf(parsed).map(({ message }) => message)).toEqual([
      '"doc" in "skillgate.profiles" does not exist here; did you mean docs?',
      '"docs_raed" in "skillgate.tools" does not exist here; did you mean docs_read?',
    ]);
  });
});
