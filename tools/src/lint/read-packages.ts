import type { SkillPackage } from '@skillgate/skill-format/lint/finding';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files of one folder; more is no skill, and would take for ever. */
const maxFiles = 2_000;

/**
 * The packages below a folder and the folders that are meant. A skill's own folder brings its neighbours, for what lies between them.
 *
 * @throws where there is nothing to read, with the folder that is probably meant
 */
export function readPackages(directory: string): { packages: SkillPackage[]; meant: string[]; parent: string } {
  if (!existsSync(directory)) throw new Error(`There is no ${directory}; name a folder of skills, or the folder of one skill.`);
  const single = existsSync(join(directory, 'SKILL.md'));
  const parent = single ? dirname(directory) : directory;
  const folders = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !single || name === basename(directory) || existsSync(join(parent, name, 'SKILL.md')))
    .sort();
  if (folders.length === 0) throw new Error(`${directory} holds no folder of a skill`);
  if (!folders.some((name) => existsSync(join(parent, name, 'SKILL.md')))) {
    const below = folders.filter((name) => holdsSkills(join(parent, name)));
    if (below.length > 0) throw new Error(`${directory} is one level too high: its folders are no skills. Lint ${below.map((name) => join(directory, name)).join(' or ')}.`);
  }
  const packages = folders.map((folder) => ({ folder, files: readFiles(join(parent, folder)) }));
  return { packages, meant: single ? [basename(directory)] : folders, parent };
}

const holdsSkills = (directory: string): boolean =>
  readdirSync(directory, { withFileTypes: true }).some((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'SKILL.md')));

function readFiles(root: string): SkillPackage['files'] {
  const paths = (readdirSync(root, { recursive: true }) as string[]).map((path) => path.replaceAll('\\', '/'));
  if (paths.length > maxFiles) throw new Error(`${root} holds more than ${maxFiles} files`);
  return paths.flatMap((path) => {
    const found = lstatSync(join(root, path));
    if (found.isDirectory()) return [];
    // A link could bring in any file of the machine.
    if (!found.isFile()) throw new Error(`${join(root, path)} is no regular file; put a copy in its place`);
    return [{ path, bytes: readFileSync(join(root, path)) }];
  });
}
