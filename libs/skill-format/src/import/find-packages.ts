import { posix } from 'node:path';
import type { PackageFile } from '../digest.js';

/** A folder that has a SKILL.md. */
export interface FoundPackage {
  /** From the top of the tree; empty at the top. */
  readonly folder: string;
  readonly main: PackageFile;
  /** Paths inside the folder; the main file is called SKILL.md whatever it was called. */
  readonly files: readonly PackageFile[];
  /** What the main file was called, when that is not SKILL.md. */
  readonly misspelt?: string;
}

const mainName = 'SKILL.md';

/** The highest folders with a SKILL.md, in the order of their paths. What lies inside one is a file of it, also another SKILL.md. */
export function findPackages(files: readonly PackageFile[]): { packages: FoundPackage[]; unused: string[] } {
  const mains = new Map<string, PackageFile>();
  for (const file of files) {
    const folder = folderOf(file.path);
    const name = posix.basename(file.path);
    if (name === mainName || (name.toLowerCase() === mainName.toLowerCase() && !mains.has(folder))) mains.set(folder, file);
  }
  const tops = [...mains.keys()].filter((folder) => !aboves(folder).some((above) => mains.has(above))).sort();
  const homeOf = (path: string) => [folderOf(path), ...aboves(folderOf(path))].findLast((folder) => tops.includes(folder));
  const members = new Map<string, PackageFile[]>(tops.map((folder) => [folder, []]));
  const unused: string[] = [];
  for (const file of files) {
    const home = homeOf(file.path);
    if (home === undefined) unused.push(file.path);
    else members.get(home)!.push({ path: home === '' ? file.path : file.path.slice(home.length + 1), bytes: file.bytes });
  }
  const packages = tops.map((folder): FoundPackage => {
    const main = mains.get(folder)!;
    const name = posix.basename(main.path);
    const inside = members.get(folder)!.map((file) => (file.path === name ? { ...file, path: mainName } : file));
    return { folder, main, files: inside, ...(name !== mainName && { misspelt: name }) };
  });
  return { packages, unused };
}

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');

/** Folders above, the nearest first, down to the top. */
function aboves(folder: string): string[] {
  if (folder === '') return [];
  const above = folderOf(folder);
  return [above, ...aboves(above)];
}
