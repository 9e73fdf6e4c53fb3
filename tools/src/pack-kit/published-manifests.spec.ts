import { describe, expect, it } from '@jest/globals';
import { packKitArguments } from './pack-kit-arguments.js';
import { publishedManifest } from './published-manifests.js';

const kit = { name: '@skillgate/executor-kit', version: '0.1.0', dependencies: { zod: '4.0.0', '@skillgate/wire': '*' } };
const wire = { name: '@skillgate/wire', version: '0.1.0', dependencies: { rxjs: '7.0.0', zod: '4.0.0' } };

describe("the kit's package", () => {
  it('brings the rooms of the house along and asks the registry for packages of others alone', () => {
    const { dependencies, bundleDependencies, version } = publishedManifest(kit, [wire], '2.0.0');
    expect(dependencies).toEqual({ '@skillgate/wire': '2.0.0', rxjs: '7.0.0', zod: '4.0.0' });
    expect([bundleDependencies, version]).toEqual([['@skillgate/wire'], '2.0.0']);
  });

  it('is not made of rooms that want different versions of one package', () => {
    expect(() => publishedManifest(kit, [{ ...wire, dependencies: { zod: '3.0.0' } }], '2.0.0')).toThrow('@skillgate/wire wants zod 3.0.0, another room 4.0.0');
  });

  it.each([
    [['a', 'b'], 'name one folder'],
    [['--version', 'latest'], 'not major.minor.patch'],
  ])('is not made by the words %j', (words, message) => {
    expect(() => packKitArguments(words)).toThrow(message);
  });
});
