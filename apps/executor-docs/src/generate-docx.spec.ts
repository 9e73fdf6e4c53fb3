import { describe, expect, it } from '@jest/globals';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import JSZip from 'jszip';
import mammoth from 'mammoth';
import { docxMime, generateDocx } from './generate-docx.js';

interface Output {
  words: number;
  headings: { level: number; text: string }[];
  notes: string[];
}

async function generate(markdown: string, more: object = {}) {
  const files = new FakeArtifacts();
  const trial = await tryTool(generateDocx, { file_name: 'memo', title: 'Memo', markdown, ...more }, files);
  if (trial.error) throw trial.error;
  const [artifact] = trial.artifacts;
  const bytes = Buffer.from(files.files.get(artifact!.id)!.bytes);
  const text = (await mammoth.extractRawText({ buffer: bytes })).value.split('\n\n').filter((line) => line !== '');
  const part = async (path: string) => (await JSZip.loadAsync(bytes)).file(path)!.async('string');
  return {
    artifact,
    text,
    part,
    output: trial.content as Output,
    html: async () => (await mammoth.convertToHtml({ buffer: bytes })).value,
  };
}
const refusalOf = async (args: object) => (await tryTool(generateDocx, { file_name: 'memo', title: 'Memo', markdown: 'x', ...args })).error;

describe('docs_generate_docx', () => {
  it('gives back a Word file with its words and headings', async () => {
    const { artifact, output } = await generate('# Aim\n\nTwo *short* words.\n\n## How\n\nSo.', { subtitle: 'for the board' });
    expect(artifact).toMatchObject({ name: 'memo.docx', mime: docxMime });
    expect(output).toMatchObject({
      words: 10,
      headings: [
        { level: 1, text: 'Aim' },
        { level: 2, text: 'How' },
      ],
      notes: [],
    });
  });

  it('opens and reads the same after LaTeX in JSON became a form feed, and tells the model', async () => {
    const args = JSON.parse('{"markdown":"$\\frac{1}{2}$ and <select> & co"}') as { markdown: string };
    expect(args.markdown).toContain('\f'); // what a model's single backslash really sends
    const { text, output } = await generate(args.markdown);
    expect(text).toEqual(['Memo', '$\\frac{1}{2}$ and <select> & co']);
    expect(output.notes).toEqual([expect.stringContaining('"\\\\frac"'), expect.stringContaining('Formulas between $ signs')]);
  });

  it('reports control characters and half emoji in title and body alike', async () => {
    const { text, output } = await generate('a\u0000b \ud83d', { title: 'Me\u0007mo' });
    expect(text).toEqual(['Memo', 'ab \ufffd']);
    expect(output.notes).toHaveLength(2);
  });

  it.each([
    ['emoji', 'Done ✅ 👩‍👩‍👧 🇪🇺'],
    ['Chinese and Japanese', '日本語の文書。中文文档'],
    ['Arabic and Hebrew beside Latin', 'مرحبا بالعالم with שלום 123'],
    ['accents, composed or not', 'Ünïcödé e\u0301'],
  ])('keeps %s', async (_what, words) => {
    const { text } = await generate(`# ${words}\n\n| ${words} |\n|---|\n| ${words} |\n\n- ${words}`);
    expect(text.slice(1)).toEqual([words, words, words, words]);
  });

  it('sets right-to-left paragraphs and runs as such', async () => {
    const { part } = await generate('שלום עולם, word\n\nword שלום');
    const [first, second] = (await part('word/document.xml')).match(/<w:p>(?:(?!<\/w:p>).)*<\/w:p>/g)!.slice(1);
    expect(first).toMatch(/<w:bidi\/>.*<w:rtl\/>.*שלום עולם.*, word/);
    expect(second).not.toContain('<w:bidi/>');
    expect(second).toMatch(/<w:t[^>]*>word <.*<w:rtl\/>/);
  });

  it('writes inline formats, links and line breaks', async () => {
    const { html } = await generate('**bold** *it* `code` ~~gone~~ [site](https://example.org/?a=1&b=2)  \nnext');
    expect(await html()).toContain(
      '<strong>bold</strong> <em>it</em> code <s>gone</s> <a href="https://example.org/?a=1&amp;b=2">site</a><br />next',
    );
  });

  it('nests lists four deep, keeps what follows inside an item, and begins each list anew', async () => {
    const { html, part, text } = await generate(
      '1. a\n   - b\n     1. c\n        - d\n\n          more of d\n2. e\n\nBetween.\n\n1. f\n\nLater.\n\n7. g',
    );
    expect(text.slice(1)).toEqual(['a', 'b', 'c', 'd', 'more of d', 'e', 'Between.', 'f', 'Later.', 'g']);
    expect(await html()).toContain('<ol><li>a<ul><li>b<ol><li>c<ul><li>d</li></ul></li></ol></li></ul></li></ol>');
    const xml = await part('word/document.xml');
    const listOf = (word: string) => new RegExp(`<w:numId w:val="(\\d+)"/></w:numPr>(?:(?!</w:p>).)*>${word}<`).exec(xml)?.[1];
    expect(listOf('e')).toBe(listOf('a'));
    expect(listOf('f')).not.toBe(listOf('a'));
    const numbering = await part('word/numbering.xml');
    const startOf = (word: string) =>
      new RegExp(`<w:num w:numId="${listOf(word)}">.*?<w:startOverride w:val="(\\d+)"`).exec(numbering)?.[1];
    expect([startOf('a'), startOf('f'), startOf('g')]).toEqual(['1', '1', '7']);
  });

  it('repeats the header row of a table of 2,000 rows and keeps every cell', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `| row ${n} | ${n * 7} |`);
    const { text, part } = await generate(['| name | value |', '|:--|--:|', ...rows].join('\n'));
    expect(text).toHaveLength(1 + 2 * 2_001);
    expect(text.at(-1)).toBe(String(1_999 * 7));
    expect((await part('word/document.xml')).match(/<w:tblHeader\/>/g)).toHaveLength(1);
  }, 20_000);

  it('keeps rows that are shorter or longer than the header', async () => {
    const { text } = await generate('| a | b |\n|---|---|\n| 1 |\n| 2 | 3 | 4 |');
    expect(text.slice(1).join(' ')).toBe('a b 1 2 3 4');
  });

  it('writes code with its line ends, blanks and tabs', async () => {
    const { part } = await generate('```\nif (a < b) {\n\treturn  1;\n}\n```');
    expect(await part('word/document.xml')).toMatch(/if \(a &lt; b\) \{<.*<w:br\/>.*<w:tab\/>.*return {2}1;/);
  });

  it('shows HTML as text, describes images, and tells of both and of links that lead nowhere', async () => {
    const { text, output } = await generate('<b>x</b> ![a cat](cat.png) [here](./x.md)\n\n<div>\n&amp;\n</div>');
    expect(text.slice(1)).toEqual(['<b>x</b> [Image: a cat] here', '<div>&amp;</div>']);
    expect(output.notes).toEqual([expect.stringContaining('1 image(s)'), expect.stringContaining('"./x.md"')]);
  });

  it('resolves references, task boxes and footnotes', async () => {
    const { text } = await generate('[a][1] says[^n].\n\n- [x] done\n- [ ] open\n\n[1]: https://example.org\n[^n]: The note.');
    expect(text.slice(1)).toEqual(['a says[1].', '☒ done', '☐ open', '[1] The note.']);
  });

  it('writes the title into the properties, once, and A4 pages', async () => {
    const { text, output, part } = await generate('# Plan & <more>\n\nx', { title: 'Plan & <more>' });
    expect(text).toEqual(['Plan & <more>', 'x']);
    expect(output.notes).toEqual([expect.stringContaining('repeats the title')]);
    expect(await part('docProps/core.xml')).toContain('<dc:title>Plan &amp; &lt;more&gt;</dc:title>');
    expect(await part('word/document.xml')).toContain('<w:pgSz w:w="11906" w:h="16838"');
  });

  it.each([
    ['an empty body', { markdown: ' \n\n' }, 'empty-document', 'Write the complete body'],
    ['a body of nothing but a definition', { markdown: '[1]: https://example.org' }, 'empty-document', 'Write the complete body'],
    ['a title of blanks', { title: ' \u0007' }, 'empty-title', 'Give the title'],
    ['a name with a folder', { file_name: '../memo.docx' }, 'bad-file-name', 'plain name'],
    ['a name of another kind', { file_name: 'memo.pdf' }, 'bad-file-name', '.docx'],
    ['endless nesting', { markdown: `${'> '.repeat(200)}x` }, 'markdown-too-deep', 'Flatten'],
  ])('refuses %s and says what to do', async (_what, args, slug, advice) => {
    const error = await refusalOf(args);
    expect(error).toMatchObject({ kind: 'refusal', slug });
    expect(error?.message).toContain(advice);
  });
});
