import { describe, expect, it } from '@jest/globals';
import { importSkills, type ImportOptions } from './import-skills.js';

const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: Write a memo.\n${more}---\nWrite it.\n`;
type Files = Readonly<Record<string, string>>;
const files = (texts: Files) => Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
const take = (texts: Files, options: Partial<ImportOptions> = {}) => {
  const { skills, invalid, unused } = importSkills(files(texts), { mode: 'strict', ...options });
  return {
    skills: skills.map((one) => one.skill.slug),
    files: skills.map((one) => one.files.map(({ path }) => path)),
    warnings: skills.flatMap((one) => one.warnings.map(({ rule, line }) => `${rule}:${line}`)),
    invalid: invalid.map(({ folder, problems }) => `${folder}: ${problems.map(({ rule, line }) => `${rule}:${line}`).join(', ')}`),
    unused,
  };
};
const lenient = { mode: 'lenient' as const };

describe('an import', () => {
  it('finds one skill at the top, with all that lies below it', () => {
    expect(take({ 'SKILL.md': skill('memo'), 'references/form.md': 'x', 'examples/SKILL.md': 'x' })).toEqual({
      skills: ['memo'],
      files: [['SKILL.md', 'references/form.md', 'examples/SKILL.md']],
      warnings: [],
      invalid: [],
      unused: [],
    });
  });

  it('finds each skill of a collection wherever it lies, and names what belongs to none', () => {
    expect(take({ 'repo/README.md': 'x', 'repo/skills/memo/SKILL.md': skill('memo'), 'repo/skills/memo/a/b.md': 'x', 'repo/skills/notes/SKILL.md': skill('notes') })).toEqual({
      skills: ['memo', 'notes'],
      files: [['SKILL.md', 'a/b.md'], ['SKILL.md']],
      warnings: [],
      invalid: [],
      unused: ['repo/README.md'],
    });
  });

  it('lists a skill that cannot be used with its reasons, and takes the others', () => {
    expect(take({ 'memo/SKILL.md': skill('memo'), 'notes/SKILL.md': '---\nname: notes\ndescription: Plan: x\n---\nx' })).toMatchObject({
      skills: ['memo'],
      invalid: ['notes: yaml-colon:3'],
    });
  });

  it('gives each finding its file, line and advice', () => {
    const [first] = importSkills(files({ 'memo/SKILL.md': skill('memo', 'owner: me\n') }), lenient).skills[0]!.warnings;
    expect(first).toEqual({ rule: 'key-unknown', level: 'warning', slug: 'memo', file: 'SKILL.md', line: 4, column: 1, message: expect.stringContaining('"owner"'), advice: expect.stringContaining('metadata') });
  });

  it.each<[string, Files, string, string]>([
    ['an unknown field', { 'memo/SKILL.md': skill('memo', 'model: large\n') }, 'key-unknown:4', 'memo: key-unknown:4'],
    ['a version at the wrong place', { 'memo/SKILL.md': skill('memo', 'version: "1.0"\n') }, 'key-unknown:4', 'memo: key-unknown:4'],
    ["somebody else's number", { 'memo/SKILL.md': skill('memo', 'metadata:\n  rank: 3\n') }, 'type:5', 'memo: type:5'],
    ['a name that differs from the folder', { 'memo-main/SKILL.md': skill('memo') }, 'name-folder:2', 'memo-main: name-folder:2'],
    ['a main file in small letters', { 'memo/skill.md': skill('memo') }, 'skill-md-case:1', 'memo: skill-md-case:1'],
  ])('%s is a warning for the lenient and an error for the strict', (_what, texts, warning, problem) => {
    expect(take(texts, lenient)).toMatchObject({ skills: ['memo'], files: [['SKILL.md']], warnings: [warning], invalid: [] });
    expect(take(texts)).toMatchObject({ skills: [], invalid: [problem] });
  });

  it.each<[string, string]>([
    ['a field that would hide it at the wrong place', 'hidden: true\n'],
    ['a requirement at the wrong place', 'capabilities: sandbox\n'],
    ['a misspelt key of ours', 'metadata:\n  skillgate.hiden: "true"\n'],
    ['a version that is a number', 'metadata:\n  skillgate.version: 1.0\n'],
    ['a list of tools that names none', 'allowed-tools: []\n'],
  ])('%s is an error also for the lenient', (_what, more) => {
    expect(take({ 'memo/SKILL.md': skill('memo', more) }, lenient)).toMatchObject({ skills: [], invalid: [expect.stringMatching(/^memo: /)] });
  });

  it('a second skill with the same name is invalid, not the last to win', () => {
    const texts = { 'a/SKILL.md': skill('memo'), 'b/SKILL.md': skill('memo') };
    expect(take(texts, lenient)).toMatchObject({ skills: ['memo'], invalid: ['b: name-twice:1'] });
  });

  it('compares a skill at the top with the folder that it is said to come from', () => {
    expect(take({ 'SKILL.md': skill('memo') }, { folder: 'notes' })).toMatchObject({ invalid: ['notes: name-folder:2'] });
  });

  it.each<[string, Files, string]>([
    ['two paths that are one', { 'memo/SKILL.md': skill('memo'), 'memo/A.md': 'x', 'memo/a.md': 'x' }, 'memo: package-path:1'],
    ['a path that leaves the folder', { 'memo/SKILL.md': skill('memo'), 'memo/../a.md': 'x' }, 'memo: package-path:1'],
    ['too many files', { 'memo/SKILL.md': skill('memo'), ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`memo/${n}.md`, 'x'])) }, 'memo: package-size:1'],
    ['no skill at all', { 'memo/notes.md': 'x' }, ': skill-md-missing:1'],
  ])('refuses %s', (_what, texts, problem) => {
    expect(take(texts, lenient)).toMatchObject({ skills: [], invalid: [problem] });
  });

  it('the same files have the same digest from any folder, and another text another one', () => {
    const digest = (texts: Files) => importSkills(files(texts), { mode: 'strict' }).skills[0]!.digest;
    const nested = digest({ 'x/memo/SKILL.md': skill('memo'), 'x/memo/a.md': 'x' });
    expect(nested).toBe(digest({ 'memo/a.md': 'x', 'memo/SKILL.md': skill('memo') }));
    expect(nested).not.toBe(digest({ 'memo/a.md': 'y', 'memo/SKILL.md': skill('memo') }));
  });
});
