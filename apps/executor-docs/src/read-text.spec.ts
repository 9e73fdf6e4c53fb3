import { describe, expect, it } from '@jest/globals';
import { FakeArtifacts, tryTool } from '@skillgate/executor-kit/try-tool';
import JSZip from 'jszip';
import { readText } from './read-text.js';

const read = async (content: Uint8Array | string, more: object = {}, name = 'notes.md', mime = 'text/markdown') => {
  const files = new FakeArtifacts();
  return tryTool(readText, { artifact: files.put(name, mime, content), ...more }, files);
};
const latin1 = Buffer.from('Gr\u00fc\u00dfe', 'latin1');
const bigEndian = Buffer.from('\ufeffGrüße', 'utf16le').swap16();

describe('docs_read_text', () => {
  it.each<[string, Uint8Array | string, object, string]>([
    ['UTF-8', 'Grüße 日本', {}, 'Grüße 日本'],
    ['UTF-8 with a byte-order mark', '\ufeffGrüße', {}, 'Grüße'],
    ['UTF-16 of little order', Buffer.from('\ufeffGrüße', 'utf16le'), {}, 'Grüße'],
    ['UTF-16 of big order', bigEndian, {}, 'Grüße'],
    ['an encoding that the user named', latin1, { encoding: 'windows-1252' }, 'Grüße'],
  ])('reads %s', async (_what, bytes, more, text) => {
    expect((await read(bytes, more)).content).toMatchObject({ text, total: text.length, next_offset: null, notes: [] });
  });

  it('does not guess an encoding but says how to go on', async () => {
    const { error } = await read(latin1);
    expect(error).toMatchObject({ kind: 'refusal', slug: 'unknown-encoding' });
    expect(error?.message).toMatch(/save it as UTF-8.*"encoding".*windows-1252/);
  });

  it.each<[string, Uint8Array | Promise<Uint8Array>, string]>([
    ['a Word file', new JSZip().file('word/document.xml', '<x/>').generateAsync({ type: 'uint8array' }), 'docs_read_docx'],
    ['a ZIP archive', new JSZip().file('a.txt', 'x').generateAsync({ type: 'uint8array' }), 'unpack'],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'PNG'],
    ['unknown bytes', Buffer.from([65, 0, 66]), 'not a text file'],
  ])('refuses %s', async (_what, bytes, advice) => {
    const { error } = await read(await bytes);
    expect(error).toMatchObject({ kind: 'refusal', slug: 'binary-file' });
    expect(error?.message).toContain(advice);
  });

  it('says that a file is empty', async () => {
    expect((await read('')).content).toMatchObject({ text: '', total: 0, notes: ['The file is empty.'] });
  });

  it.each<[string, string, string, object]>([
    ['commas', 'list.csv', 'name,town\n"Ann, B.",Rome\nBo,"two\nlines"\n', { columns: ['name', 'town'], rows: 2, delimiter: ',' }],
    [
      'semicolons, as European spreadsheets write',
      'list.csv',
      '\ufeffname;price\nAnn;1,50\n',
      { columns: ['name', 'price'], rows: 1, delimiter: ';' },
    ],
    ['tabs', 'list.tsv', 'a\tb,c\n1\t2\n', { columns: ['a', 'b,c'], rows: 1, delimiter: '\t' }],
    ['a header alone', 'list.csv', 'a,b', { columns: ['a', 'b'], rows: 0, delimiter: ',' }],
  ])('tells columns and rows of a table with %s', async (_what, name, content, csv) => {
    expect((await read(content, {}, name)).content).toMatchObject({ csv, notes: [] });
  });

  it('tells what is wrong with a table, and still reads it', async () => {
    expect((await read('a,b\n1\n2,3,4\n', {}, 'x.csv')).content).toMatchObject({
      csv: { rows: 2 },
      notes: ['2 row(s) have more or fewer fields than the 2 columns.'],
    });
    expect((await read('a,b\n1,"open\n2,3\n', {}, 'x.csv')).content).toMatchObject({
      text: expect.stringContaining('open'),
      notes: [expect.stringContaining('CSV_QUOTE_NOT_CLOSED')],
    });
  });

  it('counts the rows of the whole table, not of the page', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => `${n},value ${n}`).join('\n');
    expect((await read(`id,v\n${rows}`, { limit: 300 }, 'x.csv')).content).toMatchObject({ csv: { rows: 50_000 }, offset: 0 });
  });
});
