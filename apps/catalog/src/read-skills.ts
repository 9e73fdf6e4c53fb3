import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PackageFileFacts } from '@skillgate/contracts/calls/skill-versions';
import { isRefusal } from '@skillgate/contracts/refusal';
import { integrationNames } from '@skillgate/contracts/integrations';
import { digestPackage, type PackageFile } from '@skillgate/skill-format/digest';
import { parseSkill } from '@skillgate/skill-format/parse';
import type { FoundSkill, SkillProblem } from './skill-version.js';

/** A package is text for a model and a few references; more is a mistake, or meant to fill the disk. */
const maxPackageBytes = 8 * 1024 * 1024;
const maxPackageFiles = 200;

/**
 * Reads every folder of the skills directory, in the order of their names. A folder that cannot be used is in the answer
 * with its problems: nothing disappears without a word.
 *
 * @param integrations outside systems that skills may require
 * @throws when the directory itself cannot be read
 */
export async function readSkills(directory: string, integrations: readonly string[] = integrationNames): Promise<FoundSkill[]> {
  let entries;
  try {
    entries = await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    throw new Error(
      `The skills directory ${directory} cannot be read: ${(cause as Error).message}. Set SKILLGATE_SKILLS_DIR to one that can.`,
      { cause },
    );
  }
  // Files beside the folders, such as a README, are no skills; neither is what a tool hides behind a dot.
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(folders.map((entry) => (entry.isDirectory() ? readSkill(directory, entry.name, integrations) : unusable(entry.name, linked))));
}

const linked: SkillProblem = {
  rule: 'no-folder',
  message: 'It is a link or a device, and could bring in any file of the machine. Put a folder in its place.',
};

const unusable = (folder: string, ...problems: SkillProblem[]): FoundSkill => ({ ok: false, folder, problems });

async function readSkill(directory: string, folder: string, integrations: readonly string[]): Promise<FoundSkill> {
  try {
    const files = await readPackage(join(directory, folder));
    const main = files.find(({ path }) => path === 'SKILL.md');
    if (!main)
      return unusable(folder, { rule: 'skill-md-missing', message: 'The folder has no SKILL.md. Write one, or remove the folder.' });
    const digest = digestPackage(files);
    const parsed = parseSkill(main.bytes, folder, { integrations });
    if (!parsed.ok) return unusable(folder, ...parsed.problems.map(bare));
    const { slug, version, title, description, hidden, defaultState, requires, body } = parsed.skill;
    return {
      ok: true,
      skill: { slug, version, digest, title, description, hidden, defaultState, requires, body, files: filesOf(files) },
      files,
      warnings: parsed.warnings.map(bare),
    };
  } catch (error) {
    if (isRefusal(error)) return unusable(folder, { rule: error.slug, message: error.message });
    return unusable(folder, { rule: 'unreadable', message: `The folder cannot be read: ${(error as Error).message}` });
  }
}

/** Names and sizes, in one order wherever they were read. */
export const filesOf = (files: readonly PackageFile[]): PackageFileFacts[] =>
  files.map(({ path, bytes }) => ({ path, bytes: bytes.length })).sort((a, b) => (a.path < b.path ? -1 : 1));

const bare = ({ rule, message, line, column }: SkillProblem): SkillProblem => ({
  rule,
  message,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

async function readPackage(root: string): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  let bytes = 0;
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(root, below), { withFileTypes: true });
    for (const entry of entries) {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory()) await walk(path);
      // A link could bring in any file of the machine.
      else if (!entry.isFile()) throw new Error(`${path} is no regular file; put a copy in its place`);
      else {
        const content = await readFile(join(root, path));
        bytes += content.length;
        if (bytes > maxPackageBytes || files.length >= maxPackageFiles) {
          throw new Error(`it holds more than ${maxPackageFiles} files or ${maxPackageBytes} bytes; keep what a model needs`);
        }
        files.push({ path, bytes: content });
      }
    }
  };
  await walk('');
  return files;
}
