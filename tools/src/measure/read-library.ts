import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSkill, type ParsedSkill } from '@skillgate/skill-format/parse';

/** Every skill of a directory, in the order of their slugs. @throws Error that names the folder whose SKILL.md cannot be used */
export function readLibrary(directory: string): ParsedSkill[] {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => readSkill(directory, name)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function readSkill(directory: string, folder: string): ParsedSkill {
  const parsed = parseSkill(readFileSync(join(directory, folder, 'SKILL.md')), folder);
  if (parsed.ok) return parsed.skill;
  throw new Error(`${directory}/${folder}: ${parsed.problems.map(({ message }) => message).join(' ')}`);
}
