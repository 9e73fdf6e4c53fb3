import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rooms = ['apps', 'libs'].flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`));

describe('the documents', () => {
  it('trace-a-turn names only files that exist', () => {
    const named = [...read('docs/trace-a-turn.md').matchAll(/`((?:apps|libs)\/[^`]+)`/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('every room has a README, and the plan of the house names it', () => {
    expect(rooms.filter((room) => !existsSync(join(root, room, 'README.md')))).toEqual([]);
    expect(rooms.filter((room) => !read('docs/house.md').includes(`../${room}/README.md`))).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/house.md', 'docs/api.md', 'docs/executor-protocol.md', 'docs/writing-an-executor.md', 'deploy/README.md', ...readdirSync(join(root, 'docs/adr')).map((name) => `docs/adr/${name}`)])(
    'the links of %s lead somewhere',
    (document) => {
      const links = [...read(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!).filter((link) => !link.includes('://'));
      expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
    },
  );
});
