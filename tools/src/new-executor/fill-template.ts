import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'template');

/**
 * The files of a template with its values in them, by their paths.
 *
 * @throws Error for a name that has no value: it would stand in somebody's code
 */
export function fillTemplate(parts: readonly string[], values: Readonly<Record<string, string>>): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of parts) {
    for (const entry of readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.txt')) continue;
      const fill = (text: string): string =>
        text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
          const value = values[name];
          if (value === undefined) throw new Error(`the template ${part}/${entry} names {{${name}}}, which has no value`);
          return value;
        });
      files.set(fill(entry.slice(0, -'.txt'.length)), fill(readFileSync(join(folder, part, entry), 'utf8')));
    }
  }
  return files;
}
