import { describe, expect, it } from '@jest/globals';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import JSZip from 'jszip';
import { generateDocx } from './generate-docx.js';
import { readDocx } from './read-docx.js';

interface Page {
  text: string;
  offset: number;
  total: number;
  next_offset: number | null;
  notes: string[];
}

const readFile = async (content: Uint8Array | string, more: object = {}, name = 'memo.docx') => {
  const files = new FakeArtifacts();
  return tryTool(readDocx, { artifact: files.put(name, 'application/octet-stream', content), ...more }, files);
};
const bytesOf = async (markdown: string) => {
  const files = new FakeArtifacts();
  const { artifacts } = await tryTool(generateDocx, { file_name: 'memo', title: 'Memo', markdown }, files);
  return files.files.get(artifacts[0]!.id)!.bytes;
};
const read = async (markdown: string, more: object = {}) => (await readFile(await bytesOf(markdown), more)).content as Page;

/** A small Word file with `body` as its only content. */
const minimal = (body: string, extra: Record<string, string> = {}) => {
  const zip = new JSZip();
  zip.file(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ' +
      'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  );
  zip.file(
    '_rels/.rels',
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>' +
      '</Relationships>',
  );
  zip.file(
    'word/document.xml',
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  );
  for (const [path, xml] of Object.entries(extra)) zip.file(path, xml);
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
};

describe('docs_read_docx', () => {
  it('gives back the Markdown that a Word file was made from', async () => {
    const markdown = [
      '## How',
      'Some **bold**, *it*, `code` and [a site](https://example.org).',
      '- one\n- two\n   - inner\n      1. first\n      2. second\n- three',
      '| a | b \\| c |\n| --- | --- |\n| 1 | x y |',
      '> Said.',
      '```\nif (a) {\n  b();\n}\n```',
      'Last.',
    ].join('\n\n');
    const { text, notes } = await read(markdown);
    expect(text.replaceAll(/\n{2,}/g, '\n')).toBe(`# Memo\n${markdown}`.replaceAll(/\n{2,}/g, '\n'));
    expect(notes).toEqual([]);
  });

  it('reads a long text page by page without loss', async () => {
    const bytes = await bytesOf(Array.from({ length: 200 }, (_, n) => `Paragraph ${n} with 日本語 and 👩‍👩‍👧.`).join('\n\n'));
    const pages: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const page = (await readFile(bytes, { offset, limit: 700 })).content as Page;
      expect(page.text.length).toBeLessThanOrEqual(700);
      pages.push(page.text);
      offset = page.next_offset;
    }
    const whole = ((await readFile(bytes, { limit: 30_000 })).content as Page).text;
    expect(pages.join('')).toBe(whole);
    expect(pages.length).toBeGreaterThan(5);
  });

  it('tells of comments and tracked changes that it does not show', async () => {
    const body =
      '<w:p><w:r><w:t>kept</w:t></w:r><w:ins w:id="1"><w:r><w:t> new</w:t></w:r></w:ins>' +
      '<w:del w:id="2"><w:r><w:delText> old</w:delText></w:r></w:del></w:p>';
    const comments = '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';
    const { content } = await readFile(await minimal(body, { 'word/comments.xml': comments }));
    expect(content).toMatchObject({
      text: 'kept new',
      notes: [expect.stringContaining('comments'), expect.stringContaining('tracked changes')],
    });
  });

  it('says that a document has no text', async () => {
    expect((await readFile(await minimal('<w:p/>'))).content).toMatchObject({
      text: '',
      total: 0,
      next_offset: null,
      notes: ['The document has no text.'],
    });
  });

  it.each<[string, Uint8Array | string | Promise<Uint8Array>, string, string]>([
    ['a text file', 'Just words', 'not-a-docx', 'docs_read_text'],
    ['a PDF', '%PDF-1.7 …', 'not-a-docx', 'PDF'],
    ['an old .doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'not-a-docx', 'without a password'],
    ['a spreadsheet', new JSZip().file('xl/workbook.xml', '<x/>').generateAsync({ type: 'uint8array' }), 'not-a-docx', 'Excel'],
    ['unknown bytes', Buffer.from([1, 0, 2, 0]), 'not-a-docx', 'Ask the user'],
    ['half an archive', bytesOf('Hello').then((bytes) => bytes.subarray(0, 500)), 'damaged-file', 'upload it again'],
    ['a document that is no XML', minimal('<w:p>'), 'damaged-file', 'save it again'],
    ['a file with entities', minimal('<w:p/>', { 'word/x.xml': '<!DOCTYPE x [<!ENTITY a "b">]><x/>' }), 'damaged-file', 'entities'],
  ])('refuses %s and says what to do', async (_what, content, slug, advice) => {
    const { error } = await readFile(await content);
    expect(error).toMatchObject({ kind: 'refusal', slug });
    expect(error?.message).toContain(advice);
  });

  it('refuses an archive that unpacks to far more than it shows, before it is read', async () => {
    const bomb = await minimal(`<w:p><w:r><w:t>${' '.repeat(20_000_000)}</w:t></w:r></w:p>`);
    expect(bomb.length).toBeLessThan(200_000);
    expect((await readFile(bomb)).error).toMatchObject({ kind: 'refusal', slug: 'file-too-large' });
  }, 20_000);

  it('refuses the same when the archive lies about its sizes', async () => {
    const bomb = Buffer.from(await minimal(`<w:p><w:r><w:t>${' '.repeat(20_000_000)}</w:t></w:r></w:p>`));
    // the uncompressed size stands at byte 24 of a central directory entry, which begins PK 01 02
    for (let at = bomb.indexOf('PK\u0001\u0002', 0, 'latin1'); at >= 0; at = bomb.indexOf('PK\u0001\u0002', at + 4, 'latin1'))
      bomb.writeUInt32LE(100, at + 24);
    expect((await readFile(bomb)).error).toMatchObject({ kind: 'refusal', slug: expect.stringMatching(/^(file-too-large|damaged-file)$/) });
  }, 20_000);

  it('refuses an offset behind the end with the length', async () => {
    expect((await readFile(await bytesOf('Hello'), { offset: 500 })).error).toMatchObject({
      slug: 'offset-past-end',
      message: expect.stringMatching(/has 13 characters/),
    });
  });
});
