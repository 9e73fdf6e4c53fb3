import { createHash } from 'node:crypto';
import { refuse } from '@skillgate/contracts/refusal';
import { foldPath, pathProblem } from './check-path.js';

export interface PackageFile {
  /** Relative, with `/` between parts. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Lower-case hexadecimal SHA-256 over a canonical listing of the package: for each file, in order of its path's UTF-8 bytes, one line
 * of content digest, size and path. Neither the order given nor anything in a path can make two packages look alike.
 * Refuses (`bad-package`) an empty package, a path that leaves it, and two paths that one file system could take for one.
 */
export function digestPackage(files: readonly PackageFile[]): string {
  if (files.length === 0) throw refuse('bad-package', 'The package holds no file; it needs at least SKILL.md.');
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const problem = pathProblem(path);
    if (problem) throw refuse('bad-package', problem);
    const folded = foldPath(path);
    const twin = seen.get(folded);
    if (twin !== undefined)
      throw refuse(
        'bad-package',
        `The paths ${JSON.stringify(twin)} and ${JSON.stringify(path)} are one on some file systems; rename one.`,
      );
    seen.set(folded, path);
  }
  const listing = createHash('sha256').update('skillgate package 1\n');
  const named = files.map(({ path, bytes }) => ({ path, key: Buffer.from(path), bytes })).sort((a, b) => Buffer.compare(a.key, b.key));
  for (const { path, bytes } of named) {
    // JSON leaves no line feed or quote of a path unescaped, so a line cannot be forged.
    listing.update(`${createHash('sha256').update(bytes).digest('hex')} ${bytes.length} ${JSON.stringify(path)}\n`);
  }
  return listing.digest('hex');
}
