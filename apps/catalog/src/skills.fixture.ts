import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface SkillText {
  description?: string;
  body?: string;
  /** Lines under `metadata`, without the prefix. */
  [key: string]: string | undefined;
}

/** A SKILL.md with the given metadata. */
export function skillMd(
  name: string,
  { description = `Does what ${name} does.`, body = `# ${name}\n\nDo it well.`, ...metadata }: SkillText = {},
): string {
  const lines = Object.entries({ version: '1.0.0', ...metadata }).map(([key, value]) => `  skillgate.${key}: ${JSON.stringify(value)}\n`);
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\nmetadata:\n${lines.join('')}---\n\n${body}\n`;
}

/** A skills directory of a test's own. */
export class SkillsDirectory {
  private constructor(readonly path: string) {}

  static async make(skills: Record<string, SkillText> = {}): Promise<SkillsDirectory> {
    const directory = new SkillsDirectory(await mkdtemp(join(tmpdir(), 'skillgate-skills-')));
    for (const [name, text] of Object.entries(skills)) await directory.write(`${name}/SKILL.md`, skillMd(name, text));
    return directory;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.path, path)), { recursive: true });
    await writeFile(join(this.path, path), content);
  }

  remove(path = ''): Promise<void> {
    return rm(join(this.path, path), { recursive: true });
  }
}
