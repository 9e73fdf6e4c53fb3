import { getFileNameLowLevel, type Entry } from 'yauzl';

/** An entry of a zip's central directory. Names in front of the data itself are not believed. */
export interface ZipEntry {
  /** As written, with `/` at the end of a folder. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isRegular: boolean;
  readonly isEncrypted: boolean;
  /** Stored or deflated; other methods are not read. */
  readonly isReadable: boolean;
  readonly size: number;
  readonly deflatedSize: number;
  readonly crc32: number;
}

// Unix file types in the upper half of the external attributes, whoever made the zip: an unpacker may believe them.
const typeMask = 0xf000;
const regularFile = 0x8000;
const folder = 0x4000;
const reparsePoint = 0x400; // Windows' links, in the lower half

/** Of an entry that was read without decoding its strings. */
export function zipEntry(entry: Entry): ZipEntry {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const type = (entry.externalFileAttributes >>> 16) & typeMask;
  const isFolder = name.endsWith('/');
  const expected = type === 0 || type === (isFolder ? folder : regularFile);
  return {
    name,
    isFolder,
    isRegular: expected && (entry.externalFileAttributes & reparsePoint) === 0,
    isEncrypted: entry.isEncrypted(),
    isReadable: entry.compressionMethod === 0 || entry.compressionMethod === 8,
    size: entry.uncompressedSize,
    deflatedSize: entry.compressedSize,
    crc32: entry.crc32,
  };
}
