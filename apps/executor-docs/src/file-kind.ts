/** What a file is by its first bytes, and which tool of this executor reads it. */
export interface FileKind {
  /** As a person calls it. */
  name: string;
  /** What the model should do instead, as a sentence. */
  advice: string;
}

const ask = (format: string) => `No tool here reads it. Ask the user for it as ${format}.`;

const signatures: [bytes: number[], kind: FileKind][] = [
  [[0x25, 0x50, 0x44, 0x46], { name: 'a PDF file', advice: ask('Word (.docx) or text') }],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    { name: 'an old Office file (.doc, .xls, .ppt) or one with a password', advice: ask('Word (.docx) without a password') },
  ],
  [[0x89, 0x50, 0x4e, 0x47], { name: 'a PNG image', advice: ask('text') }],
  [[0xff, 0xd8, 0xff], { name: 'a JPEG image', advice: ask('text') }],
  [[0x47, 0x49, 0x46, 0x38], { name: 'a GIF image', advice: ask('text') }],
  [[0x1f, 0x8b], { name: 'a gzip archive', advice: 'Ask the user to unpack it and upload the files inside.' }],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], { name: 'a rich text file (.rtf)', advice: ask('Word (.docx)') }],
];

const zipSignature = [0x50, 0x4b, 0x03, 0x04]; // PK, local file header
const startsWith = (bytes: Uint8Array, head: number[]): boolean => head.every((byte, index) => bytes[index] === byte);

export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, zipSignature);

/** Known kinds of files that are no text; undefined for everything else. */
export function knownBinary(bytes: Uint8Array): FileKind | undefined {
  return signatures.find(([head]) => startsWith(bytes, head))?.[1];
}

/** Which Office file a ZIP archive is, by the part that holds its content. */
export function zipKind(paths: readonly string[]): FileKind {
  const has = (path: string) => paths.includes(path);
  if (has('word/document.xml')) return { name: 'a Word file', advice: 'Read it with docs_read_docx.' };
  if (has('xl/workbook.xml')) return { name: 'an Excel file (.xlsx)', advice: ask('CSV, and read that with docs_read_text') };
  if (has('ppt/presentation.xml')) return { name: 'a PowerPoint file (.pptx)', advice: ask('Word (.docx) or text') };
  if (has('content.xml') || has('mimetype')) return { name: 'an OpenDocument or e-book file', advice: ask('Word (.docx)') };
  return { name: 'a ZIP archive', advice: 'Ask the user to unpack it and upload the files inside.' };
}
