import mammoth from 'mammoth';
import { SaxesParser } from 'saxes';
import { isXmlPart, openZip, unpackXml } from './open-zip.js';
import { normaliseSpace } from './plain-text.js';

const neededParts = ['[Content_Types].xml', '_rels/.rels', 'word/document.xml', 'word/styles.xml', 'docProps/core.xml'];

/**
 * Reopens a Word file as its reader would: the archive opens, every XML part is well-formed, and the text in it is what
 * was meant, read by two readers.
 *
 * @param intended paragraphs in reading order
 * @returns what is wrong, or undefined
 */
export async function findDocxFault(bytes: Uint8Array, intended: readonly string[]): Promise<string | undefined> {
  const zip = await openZip(bytes, 'the new file');
  const missing = neededParts.find((path) => !zip.file(path));
  if (missing) return `the part ${missing} is missing`;
  const parts = await unpackXml(zip, 'the new file');
  for (const [path, xml] of parts) {
    if (!isXmlPart(path)) continue;
    const fault = findXmlFault(xml);
    if (fault) return `${path} is not well-formed: ${fault}`;
  }
  const meant = normaliseSpace(intended.join('\n'));
  const written = normaliseSpace(textOfDocument(parts.get('word/document.xml') ?? ''));
  if (written !== meant) return `the text differs near "${firstDifference(meant, written)}"`;

  // mammoth gives no sign of a line break inside a paragraph, so white space cannot be compared with it
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  const [read, expected] = [withoutSpace(value), withoutSpace(meant)];
  return read === expected ? undefined : `a reader finds other text near "${firstDifference(expected, read)}"`;
}

function findXmlFault(xml: string): string | undefined {
  const parser = new SaxesParser({ xmlns: true });
  let fault: string | undefined;
  parser.on('error', (error) => (fault ??= error.message));
  parser.write(xml).close();
  return fault;
}

/** `w:t` with the white space that tabs, breaks and paragraph ends stand for. */
function textOfDocument(xml: string): string {
  const parser = new SaxesParser();
  const pieces: string[] = [];
  let inText = false;
  parser.on('opentag', ({ name }) => {
    inText = name === 'w:t';
    if (name === 'w:tab' || name === 'w:br') pieces.push(' ');
  });
  parser.on('text', (text) => inText && pieces.push(text));
  parser.on('closetag', ({ name }) => {
    inText = false;
    if (name === 'w:p') pieces.push('\n');
  });
  parser.write(xml).close();
  return pieces.join('');
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

function firstDifference(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  return expected.slice(Math.max(0, at - 20), at + 20);
}
