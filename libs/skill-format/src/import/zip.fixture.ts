import { crc32, deflateRawSync } from 'node:zlib';

/** An entry as a program writes it, or as one who means harm would. */
export interface MadeEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Unix mode with the file type, such as 0o120777 for a link. */
  readonly mode?: number;
  readonly attributes?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Sizes and checksum that the directory claims. */
  readonly size?: number;
  readonly deflatedSize?: number;
  readonly crc?: number;
  /** Name in front of the data, which nobody should believe. */
  readonly localName?: string;
}

const utf8 = 0x800;

/** A zip of these entries, byte by byte (PKWARE's APPNOTE 4.3). */
export function zipOf(...entries: readonly MadeEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const { method = 8, flags = utf8, mode = 0o100644 } = entry;
    const data = method === 8 ? deflateRawSync(content) : content;
    const name = Buffer.from(entry.name as string);
    const localName = Buffer.from(entry.localName ?? name);
    const common = (length: number) => {
      const part = Buffer.alloc(26);
      part.writeUInt16LE(20, 0); // version needed
      part.writeUInt16LE(flags, 2);
      part.writeUInt16LE(method, 4);
      part.writeUInt32LE(entry.crc ?? crc32(content), 10);
      part.writeUInt32LE(entry.deflatedSize ?? data.length, 14);
      part.writeUInt32LE(entry.size ?? content.length, 18);
      part.writeUInt16LE(length, 22);
      return part;
    };
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common(localName.length), localName, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.attributes ?? (mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common(name.length), tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}
