import { afterAll, describe, expect, it } from '@jest/globals';
import { root } from '@skillgate/standalone/run-from-source';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintArguments } from './lint-arguments.js';
import { runLint } from './run-lint.js';

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of skills with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillgate-lint-'));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function lint(folder: string, ...words: string[]) {
  const printed: string[] = [];
  const code = runLint(lintArguments([folder, ...words]), folder, (text) => printed.push(text));
  return { code, printed: printed.join('\n') };
}

const short = '---\nname: minutes\ndescription: Turn the transcript of a board meeting into minutes. Use for "write up our call".\n---\nWrite minutes.\n';

describe('bin/skillgate lint', () => {
  it('has nothing to say of the skills of this house', () => {
    const printed: string[] = [];
    expect([runLint(lintArguments(['--strict']), root, (text) => printed.push(text)), printed.slice(0, -1)]).toEqual([0, []]);
  });

  it('says file, line, rule and advice, and fails on an error', () => {
    const { code, printed } = lint(folderOf({ 'minutes/SKILL.md': short.replace('minutes\n', 'protocols\n') }));
    expect(code).toBe(1);
    expect(printed).toContain('minutes/SKILL.md:2:7: error name-folder: The name is "protocols" and the folder "minutes"; make them equal.\n    Make the name');
    expect(printed).toMatch(/1 skill, 1 error, 0 warnings$/);
  });

  it('lets a warning pass, and fails on it with --strict', () => {
    const folder = folderOf({ 'minutes/SKILL.md': short });
    expect([lint(folder).code, lint(folder, '--strict').code]).toEqual([0, 1]);
  });

  it('answers with one JSON object', () => {
    const said = JSON.parse(lint(folderOf({ 'minutes/SKILL.md': short }), '--json').printed) as { findings: object[] };
    expect(said).toMatchObject({ skills: 1, errors: 0, warnings: 1, findings: [{ rule: 'body-short', level: 'warning', slug: 'minutes', file: 'SKILL.md', line: 5, column: 1 }] });
  });

  it('judges the folder of one skill alone, and beside its neighbours', () => {
    const folder = folderOf({ 'minutes/SKILL.md': short, 'protocols/SKILL.md': short.replace('name: minutes', 'name: protocols') });
    const { printed } = lint(join(folder, 'minutes'));
    expect(printed).toMatch(/overlap: .*"protocols"/);
    expect(printed).toMatch(/1 skill, 0 errors, 2 warnings$/);
  });

  it('does not follow a link', () => {
    const folder = folderOf({ 'minutes/SKILL.md': short });
    symlinkSync('/etc/hostname', join(folder, 'minutes/notes.md'));
    expect(() => lint(folder)).toThrow(/minutes\/notes\.md is no regular file; put a copy in its place/);
  });

  it.each([
    ['an empty folder', () => folderOf({}), /holds no folder of a skill/],
    ['a folder that is not there', () => '/nowhere/skills', /^There is no \/nowhere\/skills; name a folder/],
    ['a folder one level too high', () => folderOf({ 'skills/minutes/SKILL.md': short, 'notes/a.md': 'x' }), /one level too high.* Lint \S+\/skills\.$/],
  ])('says so of %s', (_what, folder, message) => {
    expect(() => lint(folder())).toThrow(message);
  });

  it.each([[['a', 'b']], [['--stric']]])('refuses the words %j', (words) => {
    expect(() => lintArguments(words)).toThrow();
  });
});
