import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isHouseError } from '@skillgate/contracts/refusal';
import { digestPackage, type PackageFile } from './digest.js';

const file = (path: string, text = 'x') => ({ path, bytes: Buffer.from(text) });

function refusalOf(files: PackageFile[]): string | undefined {
  try {
    digestPackage(files);
  } catch (failure) {
    return isHouseError(failure) && failure.kind === 'refusal' ? failure.slug : String(failure);
  }
  return undefined;
}

describe('digestPackage', () => {
  it('is pinned: a version that was published keeps its digest', () => {
    expect(digestPackage([file('SKILL.md', '---\nname: memo\n'), file('references/a.md', 'a')])).toBe(
      'c61d087b78bfb3a1148f10b6f34e93ad4f98467be1f0eb4f305126806347329e',
    );
  });

  it('does not depend on the order of the files', () => {
    const files = fc.uniqueArray(
      fc.record({ path: fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/), bytes: fc.uint8Array({ maxLength: 20 }) }),
      { selector: ({ path }) => path, minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(files, (listed) => {
        expect(digestPackage([...listed].reverse())).toBe(digestPackage(listed));
      }),
    );
  });

  it.each([
    ['another content', [file('a', 'y')]],
    ['another name', [file('b')]],
    ['one more file', [file('a'), file('b')]],
    ['the same content in another folder', [file('d/a')]],
    ['a name that imitates a listing line', [file('a" 1')]],
  ])('changes with %s', (_what, files) => {
    expect(digestPackage(files)).not.toBe(digestPackage([file('a')]));
  });

  it.each(['../a', 'a/../b', '/a', 'a//b', 'a/', './a', '', 'C:\\x', 'C:/x', 'a\\b', 'a\nb', 'a\0'])('refuses the path %j', (path) => {
    expect(refusalOf([file('SKILL.md'), file(path)])).toBe('bad-package');
  });

  it('refuses paths that one file system takes for one', () => {
    for (const [one, two] of [
      ['a', 'a'],
      ['Notes.md', 'notes.md'],
      ['e\u0301.md', '\u00e9.md'],
    ] as const) {
      expect(() => digestPackage([file(one), file(two)])).toThrow('rename one');
    }
  });

  it('refuses an empty package', () => {
    expect(refusalOf([])).toBe('bad-package');
  });
});
