import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import type { PackageFile } from '../digest.js';
import { error, type Problem } from '../problem.js';
import { checkEntries } from './check-entries.js';
import { zipEntry, type ZipEntry } from './zip-entry.js';
import { zipLimits, type ZipLimits } from './zip-limits.js';

/** All files of the zip, or none and every reason. */
export type ReadZip =
  | { readonly ok: true; readonly files: readonly PackageFile[]; /** What desktops leave behind. */ readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

// Written by desktops into each folder, seen by nobody.
const leftover = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/;
const office = /\.(?:docx|xlsx|pptx|odt|ods|odp|epub)$/i; // zips by their formats
const zipMark = [0x50, 0x4b, 0x03, 0x04];

/**
 * Reads a zip in memory. First its whole directory is checked: paths, links, doubled names, counts, sizes, ratios; nothing is
 * inflated before all of it is in order. Each file must then have exactly the size and the checksum that the directory gives.
 */
export async function readZip(bytes: Uint8Array, limits: ZipLimits = zipLimits): Promise<ReadZip> {
  if (bytes.length > limits.zipBytes) return refused('zip-size', `The zip has ${bytes.length} bytes and may have ${limits.zipBytes}.`);
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { lazyEntries: true, decodeStrings: false });
  } catch (cause) {
    return refused('zip-unreadable', `This is no zip that can be read: ${(cause as Error).message}. Make it with a common program.`);
  }
  if (zip.entryCount > limits.entries)
    return refused('zip-entries', `The zip has ${zip.entryCount} entries and may have ${limits.entries}; leave out what a model does not need.`);
  try {
    const raw = await readDirectory(zip);
    const entries = raw.map((entry) => ({ raw: entry, entry: zipEntry(entry) }));
    const problems = checkEntries(entries.map(({ entry }) => entry), limits);
    if (problems.length > 0) return { ok: false, problems };
    const files: PackageFile[] = [];
    const ignored: string[] = [];
    for (const { raw: one, entry } of entries) {
      if (leftover.test(entry.name)) ignored.push(entry.name);
      else if (!entry.isFolder) files.push({ path: entry.name, bytes: await inflate(zip, one, entry) });
    }
    const nested = files.find(({ path, bytes: content }) => !office.test(path) && zipMark.every((byte, at) => content[at] === byte));
    if (nested) return refused('zip-nested', `The file ${JSON.stringify(nested.path)} is an archive inside the archive; unpack it first.`);
    return { ok: true, files, ignored };
  } catch (cause) {
    return refused('zip-damaged', `The zip is damaged: ${(cause as Error).message}. Make it anew.`);
  }
}

const refused = (rule: string, message: string): ReadZip => ({ ok: false, problems: [error(rule, message)] });

const readDirectory = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });

/** @throws when the content is not what the directory says; a stream that goes on for longer is cut off */
async function inflate(zip: ZipFile, raw: Entry, { name, size, crc32: expected }: ZipEntry): Promise<Uint8Array> {
  const content = Buffer.alloc(size);
  let filled = 0;
  for await (const piece of (await zip.openReadStreamPromise(raw)) as AsyncIterable<Buffer>) {
    if (filled + piece.length > size) throw new Error(`${JSON.stringify(name)} is longer than it says`);
    filled += piece.copy(content, filled);
  }
  if (filled !== size || crc32(content) !== expected) throw new Error(`${JSON.stringify(name)} does not have the content that it says`);
  return content;
}
