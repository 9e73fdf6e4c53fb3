import { posix } from 'node:path';
import { withoutFences } from './fences.js';
import type { Found } from './finding.js';
import type { OpenedFile, OpenedSkill } from './open-package.js';

const link = /\]\(\s*<?([^()\s<>]{1,300})>?/g;
const standardPath = /(?<![\w./-])(?:references|scripts|assets|templates|examples)\/[\w./-]{0,200}\w/g;
const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|#|\/)/i; // an address, a place in the page, a path of the machine

// Read by people and machines beside the model.
const unread = /^(?:SKILL\.md|routing\.yaml|(?:LICEN[CS]E|NOTICE|README|CHANGELOG)(?:\.[a-z]+)?)$/i;

/** What SKILL.md and its references name must be there, and what is there must be named: a model reads nothing else. */
export function referenceRules({ files }: OpenedSkill): Found[] {
  const paths = files.map(({ path }) => path);
  const missing = files.filter(({ path, text }) => path.endsWith('.md') && text !== undefined).flatMap((file) => missingIn(file, paths));
  const unnamed = files
    .filter(({ path }) => !unread.test(path) && !files.some((other) => other.path !== path && names(other, path)))
    .map(({ path }): Found => ({ rule: 'reference-unnamed', message: `Nothing in the package names "${path}", so nothing reads it.`, file: path }));
  return [...missing, ...unnamed];
}

function missingIn({ path, text = '', placeOf }: OpenedFile, paths: readonly string[]): Found[] {
  const prose = withoutFences(text); // an example's links lead nowhere
  const links = Array.from(prose.matchAll(link), (match) => ({ name: match[1]!.replace(/[?#].*$/, ''), index: match.index + 2 })).filter(
    ({ name }) => name !== '' && !elsewhere.test(name) && /[./]/.test(name),
  );
  const plain = Array.from(text.matchAll(standardPath), (match) => ({ name: match[0], index: match.index }));
  const seen = new Set<string>();
  return [...links, ...plain].flatMap(({ name, index }): Found[] => {
    if (seen.has(name) || exists(name, path, paths)) return [];
    seen.add(name);
    return [{ rule: 'reference-missing', message: `"${name}" is named here and is not in the package.`, file: path, at: placeOf(index) }];
  });
}

/** From the file's own folder or from the package's, as a file or as a folder with files. */
function exists(name: string, from: string, paths: readonly string[]): boolean {
  const candidates = [posix.normalize(posix.join(posix.dirname(from), name)), posix.normalize(name)].map((path) => path.replace(/\/$/, ''));
  return paths.some((path) => candidates.some((candidate) => path === candidate || path.startsWith(`${candidate}/`)));
}

/** By its path, its name, its inner folder (`assets/fonts/`), or, from a neighbour, as a module. */
function names({ path: from, searchable }: OpenedFile, path: string): boolean {
  const folder = posix.dirname(path);
  if (searchable.includes(posix.basename(path))) return true;
  if (folder.includes('/') && searchable.includes(`${folder}/`)) return true;
  const stem = posix.basename(path).replace(/\.\w+$/, '');
  return posix.dirname(from) === folder && folder !== '.' && new RegExp(`(?<![\\w-])${stem.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(searchable);
}
