import { foldPath, pathProblem } from '../check-path.js';
import { error, type Problem } from '../problem.js';
import type { ZipEntry } from './zip-entry.js';
import type { ZipLimits } from './zip-limits.js';

const archive = /\.(?:zip|jar|war|tar|tgz|gz|bz2|xz|zst|7z|rar|cab|iso|dmg)$/i;
// Below this no ratio does harm: a short file of blanks deflates a hundredfold.
const smallBytes = 64 * 1024;
/** Another name on Windows than in the zip: devices, and what ends in a dot or a blank. */
const otherOnWindows = /(?:^|\/)(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^/]*)?|[^/]*[. ])(?=\/|$)/i;
const shown = 80; // characters of a name in a message

/** Everything that is wrong with a zip's directory. One bad entry spoils the zip: what is left of a package would be another package. */
export function checkEntries(entries: readonly ZipEntry[], limits: ZipLimits): Problem[] {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  return [
    ...(total > limits.totalBytes ? [error('zip-size', `The files come to ${total} bytes and may come to ${limits.totalBytes}; leave out what a model does not need.`)] : []),
    ...entries.flatMap((entry) => checkEntry(entry, limits)),
    ...twins(entries),
  ];
}

function checkEntry(entry: ZipEntry, limits: ZipLimits): Problem[] {
  const { name, size, deflatedSize } = entry;
  const path = entry.isFolder ? name.slice(0, -1) : name;
  const here = `The entry ${quoted(name)}`;
  const found: Problem[] = [];
  const say = (rule: string, message: string) => found.push(error(rule, message));
  if (pathProblem(path) !== undefined || name.includes('\uFFFD')) say('zip-path', `${here} does not name a place inside the folder; use plain relative names with / between them.`);
  else if (otherOnWindows.test(path)) say('zip-path', `${here} would have another name on Windows; rename it.`);
  if (path.split('/').length > limits.depth) say('zip-path', `${here} lies more than ${limits.depth} folders deep; put it higher.`);
  if (!entry.isRegular) say('zip-link', `${here} is a link or a device; put a copy of the file in its place.`);
  if (entry.isEncrypted) say('zip-encrypted', `${here} is encrypted; make the zip without a password.`);
  if (!entry.isReadable) say('zip-method', `${here} is packed by a method other than deflate; make the zip with a common program.`);
  if (entry.isFolder && size > 0) say('zip-path', `${here} is a folder with content; make the zip anew.`);
  if (archive.test(path)) say('zip-nested', `${here} is an archive inside the archive; unpack it first.`);
  if (size > limits.fileBytes) say('zip-size', `${here} has ${size} bytes and may have ${limits.fileBytes}.`);
  if (size > smallBytes && size > limits.ratio * deflatedSize) say('zip-ratio', `${here} grows more than ${limits.ratio} times when unpacked; such a file is no text.`);
  return found;
}

/** Two entries that are one file on some system, or a file that another entry takes for a folder. */
function twins(entries: readonly ZipEntry[]): Problem[] {
  const names = new Map<string, string>();
  const found: Problem[] = [];
  for (const { name } of entries) {
    const key = foldPath(name.replace(/\/$/, ''));
    const twin = names.get(key);
    if (twin !== undefined) found.push(error('zip-twice', `The entries ${quoted(twin)} and ${quoted(name)} are one on some file systems; rename or remove one.`));
    else names.set(key, name);
  }
  for (const { name } of entries) {
    const parts = foldPath(name.replace(/\/$/, '')).split('/');
    for (let end = 1; end < parts.length; end++) {
      const above = names.get(parts.slice(0, end).join('/'));
      if (above !== undefined && !above.endsWith('/')) found.push(error('zip-twice', `The entry ${quoted(name)} lies in ${quoted(above)}, which is a file; rename one.`));
    }
  }
  return found;
}

const quoted = (name: string): string => JSON.stringify(name.length > shown ? `${name.slice(0, shown)}…` : name);
