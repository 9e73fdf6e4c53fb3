import { describe, expect, it } from '@jest/globals';
import { maxArtifactBytes, pieceBytes } from '@skillgate/contracts/calls/artifacts';
import { checkNew, checkPiece, cleanName, pieceCount, pieceLength, pieceName, type Artifact } from './artifact.js';

const artifact = (more: Partial<Artifact> = {}): Artifact => ({
  id: `art_${'0'.repeat(32)}`,
  account: 'a',
  name: 'n',
  mime: 'text/plain',
  bytes: pieceBytes + 5,
  sha256: 'f'.repeat(64),
  status: 'open',
  createdAt: new Date(),
  ...more,
});

describe('pieces', () => {
  it.each([
    [0, 0],
    [1, 1],
    [pieceBytes, 1],
    [pieceBytes + 1, 2],
  ])('of %i bytes are %i', (bytes, count) => {
    expect(pieceCount(bytes)).toBe(count);
  });

  it('are full but for the last', () => {
    expect([0, 1, 2].map((index) => pieceLength(pieceBytes + 5, index))).toEqual([pieceBytes, 5, 0]);
  });

  it('are named so that two accounts can never meet', () => {
    expect(pieceName({ account: 'a', id: 'x' }, 0)).not.toBe(pieceName({ account: 'b', id: 'x' }, 0));
  });

  it.each<[string, Partial<Artifact>, number, number, string | null]>([
    ['a full piece', {}, 0, pieceBytes, null],
    ['the rest', {}, 1, 5, null],
    ['a piece that is too short', {}, 0, 5, 'invalid-piece'],
    ['a piece behind the end', {}, 2, 0, 'invalid-piece'],
    ['a piece of a finished artifact', { status: 'ready' }, 0, pieceBytes, 'artifact-finished'],
  ])('%s is checked', (_what, more, index, length, slug) => {
    const check = () => checkPiece(artifact(more), index, length);
    if (slug) expect(check).toThrow(expect.objectContaining({ kind: 'refusal', slug }));
    else expect(check).not.toThrow();
  });
});

describe('a new artifact', () => {
  it.each<[number, string, string | null]>([
    [maxArtifactBytes, 'text/plain', null],
    [maxArtifactBytes + 1, 'text/plain', 'artifact-too-large'],
    [1, 'text/markdown; charset=utf-8', null],
    [1, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', null],
    [1, 'text', 'invalid-media-type'],
    [1, 'text/html\r\nset-cookie: a=b', 'invalid-media-type'],
  ])('of %i bytes as %j is checked', (bytes, mime, slug) => {
    const check = () => checkNew({ bytes, mime });
    if (slug) expect(check).toThrow(expect.objectContaining({ slug }));
    else expect(check).not.toThrow();
  });
});

describe('a file name', () => {
  it.each([
    ['report 2026 – final.md', 'report 2026 – final.md'],
    ['Отчёт 日本語.docx', 'Отчёт 日本語.docx'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['C:\\x', 'C:_x'],
    ['a\r\nb', 'a__b'],
    ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
    ['\ud800x', '_x'],
    ...['\u00ad', '\u{e0041}', '\u2028', '\u3164', '\ufe0f', '\u200d'].map((unseen): [string, string] => [`a${unseen}b.md`, 'a_b.md']),
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.md', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.md'],
    ['\u2800', 'file'],
    ['   ', 'file'],
    ['.bashrc', '_bashrc'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });
});
