import { describe, expect, it } from '@jest/globals';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import { writeText } from './write-text.js';

async function write(file_name: string, content: string) {
  const files = new FakeArtifacts();
  const trial = await tryTool(writeText, { file_name, content }, files);
  const file = files.files.get(trial.artifacts[0]?.id ?? '');
  return { ...trial, file, text: Buffer.from(file?.bytes ?? []).toString('utf8') };
}

describe('docs_write_text', () => {
  it.each([
    ['plan.md', '# Plan', 'text/markdown; charset=utf-8'],
    ['a.TXT', 'words 日本', 'text/plain; charset=utf-8'],
    ['list.csv', 'a,b\n1,2\n', 'text/csv; charset=utf-8'],
    ['page.html', '<p>é</p>', 'text/html; charset=utf-8'],
    ['data.json', '{"a":[1,2]}', 'application/json'],
  ])('stores %s as it is', async (name, content, mime) => {
    const { file, text, content: output } = await write(name, content);
    expect(file).toMatchObject({ mime, name: expect.stringMatching(/\.[a-z]+$/) });
    expect(text).toBe(content);
    expect(output).toMatchObject({ notes: [] });
  });

  it('tells of characters that it had to change', async () => {
    const { text, content } = await write('a.md', JSON.parse('"$\\frac12$ \\ud83d"') as string);
    expect(text).toBe('$\\frac12$ \ufffd');
    expect((content as { notes: string[] }).notes).toHaveLength(2);
  });

  it.each([
    ['a path', '../x.md', 'x', 'bad-file-name', 'folders'],
    ['a Windows path', 'C:\\x.md', 'x', 'bad-file-name', 'folders'],
    ['a device', 'con.txt', 'x', 'bad-file-name', 'device'],
    ['a name of dots', '...md', 'x', 'bad-file-name', 'no name'],
    ['no name', '.md', 'x', 'bad-file-name', 'no name'],
    ['a hidden reversal of letters', 'a\u202etxt.md', 'x', 'bad-file-name', 'invisible'],
    ['no extension', 'readme', 'x', 'bad-file-name', 'no extension'],
    ['a program', 'run.sh', 'x', 'bad-file-name', '.md, .txt, .csv, .html, .json'],
    ['a very long name', `${'x'.repeat(130)}.md`, 'x', 'bad-file-name', '120'],
    ['nothing', 'a.md', ' \n', 'empty-content', 'complete content'],
    ['JSON with a trailing comma', 'a.json', '{\n  "a": 1,\n}', 'invalid-json', 'line 3, column 1'],
    ['JSON that stops', 'a.json', '{"a": [1', 'invalid-json', 'ends too early'],
  ])('refuses %s and says why', async (_what, name, content, slug, advice) => {
    const { error, artifacts } = await write(name, content);
    expect(error).toMatchObject({ kind: 'refusal', slug });
    expect(error?.message).toContain(advice);
    expect(artifacts).toEqual([]);
  });
});
