import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goodBody, goodDescription, house, neighbour, packageOf, skillMd } from './examples.fixture.js';
import type { SkillPackage } from './finding.js';
import { lintSkills } from './lint-skills.js';
import { lintRules } from './rules.js';

type Files = Parameters<typeof packageOf>[0];
type Example = { bad: Files; good: Files };

const md = (parts: Parameters<typeof skillMd>[0]): Files => ({ 'SKILL.md': skillMd(parts) });
const meta = (line: string) => md({ more: `metadata:\n  ${line}` });
const routing = (text: string): Files => ({ ...md({}), 'routing.yaml': text });
const beside = (path: string, content: string | Uint8Array): Files => ({ ...md({ body: `${goodBody}\nSee ${path}.` }), [path]: content });
const described = (description: string) => md({ description });
const raw = (description: string) => md({ header: `name: minutes\ndescription: ${description}` });
const good = md({});
const letters = (...codes: number[]) => String.fromCodePoint(...codes);
// Made here, so that no scanner takes this file for a leak.
const key = ['AKIA', 'QWERTYUIOP234567'].join('');

/** Of each rule one package that breaks it and its like that does not. */
const examples: Record<string, Example> = {
  'skill-md-missing': { bad: { 'notes.md': 'x' }, good },
  'package-path': { bad: { ...good, 'a\\b.md': 'x' }, good: beside('references/b.md', 'x') },
  'file-size': { bad: beside('references/long.md', 'word '.repeat(30_000)), good: beside('references/long.md', 'word '.repeat(300)) },
  'file-encoding': { bad: beside('references/a.md', Buffer.from('Für', 'latin1')), good: beside('references/a.md', 'Für') },
  'file-binary': { bad: beside('references/a.md', 'a\0b'), good: beside('assets/a.png', Buffer.from('a\0b')) },
  'header-missing': { bad: { 'SKILL.md': 'Just text' }, good },
  'header-unclosed': { bad: { 'SKILL.md': '---\nname: minutes\n' }, good },
  'yaml-shape': { bad: { 'SKILL.md': '---\n- a\n---\nx' }, good },
  'yaml-syntax': { bad: raw('@home'), good: raw('"@home"') },
  'yaml-colon': { bad: raw('Plan: budget'), good: raw('"Plan: budget"') },
  'yaml-tab': { bad: md({ more: 'metadata:\n\ta: b' }), good: md({ more: 'metadata:\n  a: b' }) },
  'yaml-duplicate': { bad: md({ more: 'name: minutes' }), good },
  'yaml-key': { bad: md({ more: '12: x' }), good },
  'yaml-alias': { bad: raw('*x'), good },
  'yaml-anchor': { bad: raw('&x text'), good },
  'yaml-tag': { bad: raw('!!str 12'), good },
  'yaml-document': { bad: md({ more: '...\nhidden: true' }), good },
  'yaml-depth': { bad: md({ header: '['.repeat(200) }), good },
  'key-unknown': { bad: md({ more: 'owner: me' }), good: md({ more: 'metadata:\n  owner: me' }) },
  type: { bad: raw('12'), good: raw('"12"') },
  empty: { bad: md({ more: 'license: ""' }), good: md({ more: 'license: MIT' }) },
  'too-long': { bad: md({ more: `license: ${'x'.repeat(501)}` }), good: md({ more: 'license: MIT' }) },
  'name-missing': { bad: md({ header: 'description: x' }), good },
  'name-form': { bad: md({ name: 'My_Minutes' }), good },
  'name-folder': { bad: md({ name: 'protocols' }), good },
  'body-empty': { bad: md({ body: '' }), good },
  'list-empty': { bad: meta('skillgate.profiles: ","'), good: meta('skillgate.profiles: docs') },
  'list-entry': { bad: meta('skillgate.profiles: docs;slack'), good: meta('skillgate.profiles: docs, slack') },
  'list-any-of': { bad: meta('skillgate.profiles: docs|slack'), good: meta('skillgate.integrations: gmail|slack') },
  'list-unknown': { bad: meta('skillgate.profiles: dogs'), good: meta('skillgate.profiles: docs') },
  'metadata-shape': { bad: md({ more: 'metadata: x' }), good: md({ more: 'metadata:\n  a: x' }) },
  'metadata-value': { bad: meta('skillgate.default: allways'), good: meta('skillgate.default: always') },
  'metadata-unknown': { bad: meta('skillgate.profile: docs'), good: meta('skillgate.profiles: docs') },
  'description-missing': { bad: md({ header: 'name: minutes' }), good },
  'description-empty': { bad: described(' '), good },
  'description-long': { bad: described(`${goodDescription} ${'x'.repeat(1000)}`), good },
  'description-lines': { bad: described('one\ntwo'), good },
  'description-marks': { bad: described('Answers </available_skills> now'), good },
  'description-comment': { bad: raw('Answers C #1 questions'), good: raw('"Answers C #1 questions"') },
  'description-hidden': { bad: described(`Minutes${letters(0x202e)}`), good },
  'description-what': { bad: described('Use for "write up our call", stand-ups, interviews and workshop notes.'), good },
  'description-when': { bad: described('Turns the transcript of a board meeting into minutes with decisions and owners.'), good },
  'description-generic': { bad: described('Helps you with various documents and other tasks. Use when you need help.'), good },
  'description-budget': { bad: described(`${goodDescription} ${'Also for assemblies of tenants. '.repeat(18)}`), good },
  overlap: { bad: described('Checks the invoices of suppliers for wrong amounts and tax numbers that are missing. Use for "is the bill right".'), good },
  'body-limit': { bad: md({ body: goodBody.repeat(6) }), good },
  'body-long': { bad: md({ body: goodBody.repeat(3) }), good },
  'body-short': { bad: md({ body: 'Write minutes.' }), good },
  'tool-unopened': {
    bad: md({ more: 'metadata:\n  skillgate.profiles: docs', body: `${goodBody}\nThen call slack_send_message.` }),
    good: md({ more: 'metadata:\n  skillgate.profiles: docs, slack', body: `${goodBody}\nThen call slack_send_message.` }),
  },
  'tool-unknown': {
    bad: md({ more: 'metadata:\n  skillgate.profiles: docs', body: `${goodBody}\nCall \`docs_read_pdf\`.` }),
    good: md({ more: 'metadata:\n  skillgate.profiles: docs', body: `${goodBody}\nCall \`docs_read_text\` with \`docs_file_id\` and \`load_skill\`, then rename my_file.txt.` }),
  },
  'reference-missing': { bad: md({ body: `${goodBody}\nSee [the form](references/form.md).` }), good: beside('references/form.md', 'A form.') },
  'reference-unnamed': { bad: { ...good, 'references/form.md': 'A form.' }, good: beside('references/form.md', 'A form.') },
  secret: { bad: beside('references/access.md', `The key is ${key}.`), good: beside('references/access.md', 'The key is AKIAIOSFODNN7EXAMPLE.') },
  'file-long': { bad: beside('references/long.md', 'word '.repeat(6_000)), good: beside('references/long.md', 'word '.repeat(600)) },
  'hidden-text': { bad: beside('references/a.md', `a${letters(0xe0068, 0xe0069)}`), good: beside('references/a.md', 'a hi 👩‍💻') },
  comment: { bad: md({ body: `${goodBody}\n[//]: # (obey)` }), good: md({ body: `${goodBody}\n[the board]: https://board.test "Board"` }) },
  'hidden-html': { bad: md({ body: `${goodBody}\n<p style="display:none">obey</p>` }), good: md({ body: `${goodBody}\n<p>obey</p>` }) },
  'far-right': { bad: beside('references/a.md', `A form.${' '.repeat(300)}obey`), good: beside('references/a.md', `A form.${' '.repeat(300)}\n`) },
  gap: { bad: beside('references/a.md', `A form.${'\n'.repeat(80)}obey`), good: beside('references/a.md', 'A form.\n\nobey') },
  'routing-empty': { bad: routing('negatives: [x]'), good: routing('positives: [x]') },
  'routing-sentence': { bad: routing('positives: [a, ""]'), good: routing('positives: [a]') },
  'routing-twice': { bad: routing('positives: [a]\nnear: [A]'), good: routing('positives: [a]\nnear: [b]') },
  'routing-near': { bad: routing('positives: [a]\nnear: [{ loads: none }]'), good: routing('positives: [a]\nnear: [{ request: b, loads: none }]') },
  'near-miss': { bad: routing('positives: [a]\nnear: [{ request: b, loads: invoices }]'), good: routing('positives: [a]\nnear: [{ request: b, loads: invoice-check }]') },
};

const lint = (files: Files, others: SkillPackage[] = [neighbour]) => lintSkills([packageOf(files), ...others], house).filter(({ slug }) => slug === 'minutes');
const rulesOf = (files: Files) => lint(files).map(({ rule }) => rule);

describe('each rule has an example that breaks it and one that does not', () => {
  it.each(Object.keys(lintRules))('%s', (rule) => {
    const example = examples[rule];
    expect(example).toBeDefined(); // a rule without both is a rule that nobody has seen
    const hit = lint(example!.bad).find((finding) => finding.rule === rule);
    expect(hit).toMatchObject({ rule, level: lintRules[rule]!.level, slug: 'minutes', advice: expect.stringMatching(/\w/), message: expect.stringMatching(/\w/) });
    expect(hit!.line).toBeGreaterThan(0);
    expect(rulesOf(example!.good)).not.toContain(rule);
  });

  it('no example is left over from a rule that is gone', () => {
    expect(Object.keys(examples).filter((rule) => !lintRules[rule])).toEqual([]);
  });

  it('every rule that the code can report is in the list', () => {
    const root = join(import.meta.dirname, '..');
    const sources = ['', 'lint'].flatMap((folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(name)).map((name) => readFileSync(join(root, folder, name), 'utf8')));
    const reported = sources.flatMap((source) => [...source.matchAll(/(?:\b(?:error|warning|report|say)\(\s*|\brule: )'([a-z][a-z-]*)'/g)].map((match) => match[1]!));
    expect(reported.length).toBeGreaterThan(60);
    expect([...new Set(reported)].filter((rule) => !lintRules[rule])).toEqual([]);
  });

  it('a good package has no finding at all', () => {
    expect(lint(good)).toEqual([]);
  });
});

describe('a finding', () => {
  it('stands at the line and column of the file as saved', () => {
    const [found] = lint(beside('references/access.md', `# Access\n\nThe key is ${key}.`));
    expect(found).toMatchObject({ rule: 'secret', file: 'references/access.md', line: 3, column: 12 });
  });

  it('never shows the credential that it found', () => {
    expect(JSON.stringify(lint(beside('references/access.md', key)))).not.toContain(key.slice(0, 10));
  });

  it('of an overlap names the other skill, on both sides', () => {
    const twin = packageOf({ 'SKILL.md': skillMd({ name: 'protocols' }) }, 'protocols');
    const said = lintSkills([packageOf(good), twin], house).filter(({ rule }) => rule === 'overlap');
    expect(said.map(({ slug, message }) => [slug, /"([\w-]+)"/.exec(message)![1]])).toEqual([['minutes', 'protocols'], ['protocols', 'minutes']]);
  });

  it('of a near miss stands at its line, also for the skill itself and a hidden one', () => {
    const hidden = packageOf({ 'SKILL.md': skillMd({ name: 'house-style', more: 'metadata:\n  skillgate.hidden: "true"' }) }, 'house-style');
    const files = routing('positives: [a]\nnear:\n  - { request: b, loads: minutes }\n  - { request: c, loads: house-style }');
    expect(lint(files, [hidden]).map(({ file, line, message }) => [file, line, message])).toEqual([
      ['routing.yaml', 3, '"minutes" is this skill itself; a sentence for this skill stands under positives.'],
      ['routing.yaml', 4, '"house-style" is hidden, so no request loads it.'],
    ]);
  });
});

describe('the whole package is looked through, however long', () => {
  const filler = 'A sentence of no interest.\n'.repeat(40_000); // a megabyte, far above what may be read as text

  it('hidden text and a credential at the end of a megabyte are found', () => {
    const rules = rulesOf(beside('references/long.md', `${filler}a${letters(0xe0068)}\n<!-- obey -->\n${key}`));
    expect(rules).toEqual(expect.arrayContaining(['file-size', 'hidden-text', 'comment', 'secret']));
  });

  it('a credential inside a file that is no text is found', () => {
    expect(rulesOf(beside('assets/logo.png', Buffer.concat([Buffer.from([0xff, 0, 0xfe]), Buffer.from(` ${key} `)])))).toContain('secret');
  });

  it('a package that cannot be used is looked through too', () => {
    expect(rulesOf({ 'SKILL.md': 'no header', 'run.py': `key = "${key}"` })).toEqual(expect.arrayContaining(['header-missing', 'secret']));
  });

  it.each([
    ['blanks', ' '.repeat(400_000)],
    ['opening brackets', '['.repeat(200_000)],
    ['opening tags', '<a '.repeat(150_000)],
    ['comment openings', '<!--'.repeat(100_000)],
    ['fences', '```\n'.repeat(60_000)],
    ['links', '](references/'.repeat(40_000)],
    ['words', 'docs_read_pdf '.repeat(30_000)],
    ['empty lines', '\n'.repeat(400_000)],
    ['an address that does not end', `http://${'a:'.repeat(150_000)}`],
  ])('half a megabyte of %s takes no more than two seconds', (_what, text) => {
    const started = performance.now();
    lint(beside('references/long.md', text));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('a hidden skill', () => {
  it('needs no description that a model could choose by', () => {
    expect(rulesOf(md({ description: 'Rules.', more: 'metadata:\n  skillgate.hidden: "true"' }))).toEqual([]);
  });
});
