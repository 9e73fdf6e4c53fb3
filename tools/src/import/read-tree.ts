import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Upload {
  readonly type: 'application/zip' | 'application/json';
  readonly body: Buffer | string;
}

/**
 * A zip as it is; of a folder every file, as JSON. What hides behind a dot stays behind.
 *
 * @throws where there is nothing, and for a link, which could bring in any file of the machine
 */
export function readTree(path: string): Upload {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no ${path}; name a folder of skills or a zip.`);
  if (!found.isDirectory()) return { type: 'application/zip', body: readFileSync(path) };
  const files: { path: string; base64: string }[] = [];
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(path, below), { withFileTypes: true })) {
      const name = posix.join(below, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) walk(name);
      else if (!entry.isFile()) throw new Error(`${name} is no regular file; put a copy in its place`);
      else files.push({ path: name, base64: readFileSync(join(path, name)).toString('base64') });
    }
  };
  walk('');
  if (files.length === 0) throw new Error(`${path} holds no file`);
  return { type: 'application/json', body: JSON.stringify({ files }) };
}
