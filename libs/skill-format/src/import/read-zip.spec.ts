import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readZip } from './read-zip.js';
import { zipLimits } from './zip-limits.js';
import { zipOf, type MadeEntry } from './zip.fixture.js';

const memo: MadeEntry = { name: 'memo/SKILL.md', content: '---\nname: memo\n---\n' };
const rulesOf = async (zip: Uint8Array, limits = zipLimits) => {
  const read = await readZip(zip, limits);
  return read.ok ? [] : [...new Set(read.problems.map(({ rule }) => rule))];
};

describe('a zip', () => {
  it('gives its files, by the names of its directory', async () => {
    const zip = zipOf({ name: 'memo/' , mode: 0o40755, method: 0 }, { ...memo, localName: '../evil/SKIL.md' }, { name: 'memo/für/a.md', content: 'ä' }, { name: 'memo/raw.md', content: 'b', method: 0 });
    const read = await readZip(zip);
    expect(read.ok && read.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['memo/SKILL.md', memo.content],
      ['memo/für/a.md', 'ä'],
      ['memo/raw.md', 'b'],
    ]);
  });

  it('names what a desktop left behind and does not take it', async () => {
    const read = await readZip(zipOf(memo, { name: '__MACOSX/memo/._SKILL.md', content: 'x' }, { name: 'memo/.DS_Store', content: 'x' }));
    expect(read).toMatchObject({ ok: true, files: [{ path: 'memo/SKILL.md' }], ignored: ['__MACOSX/memo/._SKILL.md', 'memo/.DS_Store'] });
  });

  it('may hold office files, which are zips by their format', async () => {
    expect(await rulesOf(zipOf(memo, { name: 'memo/assets/letter.docx', content: zipOf(memo) }))).toEqual([]);
  });

  it.each<[string, string, MadeEntry]>([
    ['a way up', 'zip-path', { name: '../other/SKILL.md' }],
    ['a way up inside', 'zip-path', { name: 'memo/../../SKILL.md' }],
    ['a path from the root', 'zip-path', { name: '/etc/passwd' }],
    ['a backslash', 'zip-path', { name: 'memo\\..\\x' }],
    ['a drive', 'zip-path', { name: 'C:/x' }],
    ['an empty part', 'zip-path', { name: 'memo//x' }],
    ['a dot', 'zip-path', { name: './x' }],
    ['no name', 'zip-path', { name: '' }],
    ['a line feed', 'zip-path', { name: 'memo/a\nb' }],
    ['a NUL', 'zip-path', { name: 'memo/a\0.md' }],
    ['bytes that are no UTF-8', 'zip-path', { name: Buffer.from([0x61, 0xff, 0xfe]) }],
    ['a device of Windows', 'zip-path', { name: 'memo/aux.md' }],
    ['a dot at the end', 'zip-path', { name: 'memo./x' }],
    ['a deep path', 'zip-path', { name: 'a/'.repeat(13) + 'x' }],
    ['a folder with content', 'zip-path', { name: 'memo/refs/', content: 'x', mode: 0o40755 }],
    ['a link', 'zip-link', { name: 'memo/refs', content: '/etc', mode: 0o120777 }],
    ['a link called a folder', 'zip-link', { name: 'memo/refs/', mode: 0o120777, method: 0 }],
    ['a device', 'zip-link', { name: 'memo/null', mode: 0o20666 }],
    ['a link of Windows', 'zip-link', { name: 'memo/refs', attributes: 0x400 }],
    ['encryption', 'zip-encrypted', { name: 'memo/a.md', flags: 0x801 }],
    ['another method', 'zip-method', { name: 'memo/a.md', method: 12 }],
    ['an archive', 'zip-nested', { name: 'memo/more.zip', content: 'x' }],
    ['an archive by another name', 'zip-nested', { name: 'memo/more.bin', content: zipOf(memo) }],
    ['zeros without end', 'zip-ratio', { name: 'memo/a.md', content: Buffer.alloc(7 * 2 ** 20) }],
    ['a large file', 'zip-size', { name: 'memo/a.md', size: 9 * 2 ** 20 }],
    ['a name that is there', 'zip-twice', { name: 'memo/SKILL.md' }],
    ['a name that is there in other letters', 'zip-twice', { name: 'memo/skill.md' }],
    ['a file where a folder is', 'zip-twice', { name: 'memo', content: 'x' }],
    ['less than it says', 'zip-damaged', { name: 'memo/a.md', content: 'abc', size: 4 }],
    ['more than it says', 'zip-damaged', { name: 'memo/a.md', content: 'abc', size: 2 }],
    ['another checksum', 'zip-damaged', { name: 'memo/a.md', content: 'abc', crc: 7 }],
  ])('with one entry that has %s is refused whole', async (_what, rule, entry) => {
    expect(await rulesOf(zipOf(memo, entry))).toContain(rule);
  });

  it('knows one name in two compositions of Unicode', async () => {
    expect(await rulesOf(zipOf({ name: 'memo/f\u00fcr.md' }, { name: 'memo/fu\u0308r.md' }))).toEqual(['zip-twice']);
  });

  it('says everything that is wrong with its directory at once', async () => {
    expect(await rulesOf(zipOf(memo, { name: '../x' }, { name: 'memo/l', mode: 0o120777 }, { name: 'memo/b.tgz' }))).toEqual(['zip-path', 'zip-link', 'zip-nested']);
  });

  it.each([
    ['entries', { entries: 1 }, 'zip-entries'],
    ['bytes of the zip', { zipBytes: 100 }, 'zip-size'],
    ['bytes in all', { totalBytes: 30 }, 'zip-size'],
  ])('keeps to its limit of %s', async (_what, limit, rule) => {
    expect(await rulesOf(zipOf(memo, { name: 'memo/a.md', content: 'word '.repeat(9) }), { ...zipLimits, ...limit })).toEqual([rule]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('Just text, which is no zip at all.')],
    ['half a zip', zipOf(memo).subarray(0, 60)],
  ])('%s is said to be none', async (_what, bytes) => {
    expect(await rulesOf(bytes)).toEqual(['zip-unreadable']);
  });

  it('with any byte changed is read as it was or refused, and never throws', async () => {
    const whole = zipOf(memo, { name: 'memo/a.md', content: 'A reference of some length, some length.' });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const broken = Buffer.from(whole);
        broken[at]! ^= change;
        const read = await readZip(broken);
        if (!read.ok) return expect(read.problems.length).toBeGreaterThan(0);
        for (const { path } of read.files) expect(path).not.toMatch(/(?:^|\/)\.{0,2}(?:\/|$)|\\/);
      }),
      { numRuns: 400 },
    );
  });
});
