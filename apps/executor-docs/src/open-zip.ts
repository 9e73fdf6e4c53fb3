import { Readable } from 'node:stream';
import { refuse } from '@skillgate/contracts/refusal';
import JSZip from 'jszip';

/** A Word file of three hundred pages has about 5 MB of XML; reading takes up to a hundred times as much memory. */
const limits = { entries: 5_000, xmlBytes: 16 * 1024 * 1024 };

/** Opens an Office file. @throws the refusal `damaged-file` when the archive cannot be read */
export async function openZip(bytes: Uint8Array, name: string): Promise<JSZip> {
  try {
    return await JSZip.loadAsync(bytes);
  } catch (error) {
    throw damaged(name, error);
  }
}

function damaged(name: string, error: unknown) {
  const why = (error as Error).message.split(/[.:\n]/)[0];
  return refuse('damaged-file', `"${name}" is damaged: its ZIP archive cannot be read (${why}). Ask the user to upload it again.`);
}

/** Is this a part that readers of the file parse? Images and fonts are left packed. */
export const isXmlPart = (path: string): boolean => /\.(xml|rels)$/i.test(path);

/**
 * Unpacks every XML part with a bound on all together, whatever sizes the archive declares: a few kilobytes can hold
 * gigabytes.
 * @returns path to text, in the order of the archive. @throws the refusals `file-too-large` and `damaged-file`
 */
export async function unpackXml(zip: JSZip, name: string): Promise<Map<string, string>> {
  const entries = Object.values(zip.files).filter((entry) => !entry.dir);
  if (entries.length > limits.entries) throw tooLarge(name, `more than ${limits.entries} parts`);
  const parts = new Map<string, string>();
  let left = limits.xmlBytes;
  for (const entry of entries.filter(({ name: path }) => isXmlPart(path))) {
    const part = await inflate(entry, left).catch((error: unknown) => {
      throw damaged(name, error);
    });
    if (!part) throw tooLarge(name, `more than ${limits.xmlBytes / 1024 / 1024} MB of text when unpacked`);
    left -= part.length;
    parts.set(entry.name, part.toString('utf8'));
  }
  return parts;
}

const tooLarge = (name: string, what: string) =>
  refuse('file-too-large', `"${name}" has ${what}, which is more than this tool opens. Ask the user for a smaller part of it.`);

/** Stops as soon as the bytes exceed `most`: then nothing is returned. */
async function inflate(entry: JSZip.JSZipObject, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of modern(entry.nodeStream()) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** JSZip gives a stream of an older kind, which cannot be iterated. */
const modern = (stream: NodeJS.ReadableStream): Readable => new Readable().wrap(stream);
