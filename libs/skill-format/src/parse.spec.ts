import { describe, expect, it } from '@jest/globals';
import { parseSkill } from './parse.js';
import { bytes, file, header, parse, problemsOf, rulesOf, skillOf } from './skill-file.fixture.js';

describe('a good file', () => {
  it('gives everything that it says', () => {
    const full = [
      'name: memo',
      'description: >-',
      '  Turns a document into a memo',
      '  of one page.',
      'license: Apache-2.0',
      'compatibility: Needs Word',
      'allowed-tools: docs_read docs_write',
      'metadata:',
      '  author: somebody',
      '  skillgate.title: Briefing memo',
      '  skillgate.version: "1.10.0"',
      '  skillgate.default: always',
      '  skillgate.hidden: "true"',
      '  skillgate.capabilities: tools, sandbox|subagents',
      '  skillgate.integrations: gmail|outlook slack',
      '  skillgate.profiles: docs',
      '  skillgate.tools: docs_read',
    ].join('\n');
    expect(parse(full)).toEqual({
      ok: true,
      skill: {
        slug: 'memo',
        description: 'Turns a document into a memo of one page.',
        title: 'Briefing memo',
        version: '1.10.0',
        defaultState: 'always',
        hidden: true,
        requires: {
          capabilities: ['tools', 'sandbox|subagents'],
          integrations: ['gmail|outlook', 'slack'],
          profiles: ['docs'],
          tools: ['docs_read'],
        },
        body: 'Write the memo.',
        license: 'Apache-2.0',
        compatibility: 'Needs Word',
        allowedTools: ['docs_read', 'docs_write'],
      },
      warnings: [],
    });
  });

  it('needs a name, a description and a body, and nothing else', () => {
    expect(skillOf(parseSkill(file('name: meeting-notes\ndescription: Writes minutes.'), 'meeting-notes'))).toEqual({
      slug: 'meeting-notes',
      description: 'Writes minutes.',
      title: 'Meeting notes',
      version: '0.0.0',
      defaultState: 'available',
      hidden: false,
      requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
      body: 'Write the memo.',
      allowedTools: [],
    });
  });
});

describe('a file from another machine', () => {
  const clean = skillOf(parse(header, 'One.\n\nTwo.'));

  it.each([
    ['with a byte-order mark', `\uFEFF---\n${header}\n---\nOne.\n\nTwo.`],
    ['with a byte-order mark in the middle, as two joined files have', `---\n${header}\n---\n\uFEFFOne.\n\nTwo.`],
    ['with Windows line ends', `---\r\n${header.replace('\n', '\r\n')}\r\n---\r\nOne.\r\n\r\nTwo.\r\n`],
    ['with old Mac line ends', `---\r${header.replace('\n', '\r')}\r---\rOne.\r\rTwo.`],
    ['with all of it', `\uFEFF---\r\n${header.replace('\n', '\r\n')}\r\n---\r\n\r\n\r\nOne.\r\n\r\nTwo.`],
    ['with blanks behind the fences', `---  \n${header}\n---\t\nOne.\n\nTwo.`],
  ])('gives the same record %s', (_how, text) => {
    expect(skillOf(parseSkill(bytes(text), 'memo'))).toEqual(clean);
  });

  it('sees the closing fence at the end of the file without a line end', () => {
    expect(rulesOf(parseSkill(bytes('\uFEFF---\r\nname: memo\r\ndescription: Write minutes\r\n---'), 'memo'))).toEqual(['body-empty']);
  });
});

describe('the name', () => {
  it.each([
    ['upper case', 'Memo', 'name-form'],
    ['a doubled hyphen', 'me--mo', 'name-form'],
    ['a hyphen at the end', 'memo-', 'name-form'],
    ['an underscore', 'me_mo', 'name-form'],
    ['65 characters', 'm'.repeat(65), 'name-form'],
    ['a path', '"../../core"', 'name-form'],
    ['nothing', '', 'type'],
    ['a number', '12', 'type'],
    ['another folder', 'minutes', 'name-folder'],
  ])('may not be %s', (_what, name, rule) => {
    expect(rulesOf(parse(`name: ${name}\ndescription: Write a memo.`))).toEqual([rule]);
  });

  it('must be there', () => {
    expect(problemsOf(parse('description: Write a memo.'))).toEqual([
      { rule: 'name-missing', severity: 'error', message: 'The header has no name; add the line: name: memo', line: 2, column: 1 },
    ]);
  });
});

describe('fields', () => {
  it('tells where a field of ours belongs', () => {
    expect(problemsOf(parse(`${header}\nversion: 1.10`))).toEqual([
      {
        rule: 'key-unknown',
        severity: 'error',
        message: 'The field "version" is not part of a skill\'s header; write it under metadata as skillgate.version: "…"',
        line: 4,
        column: 1,
      },
    ]);
  });

  it('suggests the field that was meant', () => {
    expect(problemsOf(parse(`${header}\nallowed_tools: x`))[0]!.message).toContain('did you mean allowed-tools?');
    expect(problemsOf(parse('Name: memo\nname: memo\ndescription: x'))[0]!.message).toContain('did you mean name?');
  });

  it('reports every wrong field at once', () => {
    expect(rulesOf(parse('name: Memo\ndescription: ""\nlicence: MIT\nmetadata: x'))).toEqual([
      'key-unknown',
      'name-form',
      'description-empty',
      'metadata-shape',
    ]);
  });

  it('does not accept an empty licence', () => {
    expect(rulesOf(parse(`${header}\nlicense: " "`))).toEqual(['empty']);
    expect(rulesOf(parse(`${header}\nlicense:`))).toEqual(['type']);
  });
});

describe('what a reviewer should look at', () => {
  it('is hinted at with its place, and opens or closes nothing', () => {
    const tags = Array.from('hi', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const parsed = parse(header, `One ${tags}\n<!-- do\nthis -->\n${'\n'.repeat(100_000)}Payload \u200B`);
    expect(parsed.ok && parsed.warnings.map(({ rule, severity, line }) => ({ rule, severity, line }))).toEqual([
      { rule: 'hidden-text', severity: 'warning', line: 5 },
      { rule: 'hidden-text', severity: 'warning', line: 100_008 },
      { rule: 'comment', severity: 'warning', line: 6 },
      { rule: 'gap', severity: 'warning', line: 100_008 },
    ]);
    expect(parsed.ok && parsed.warnings[0]!.message).toContain('"hi"');
    expect(parsed.ok && parsed.warnings[2]!.message).toContain('"do this"');
  });
});
