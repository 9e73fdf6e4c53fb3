import { refuse } from '@skillgate/contracts/refusal';

/** Labels of the WHATWG Encoding Standard that a user's file may be in when it is not Unicode. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1251',
  'iso-8859-15',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof encodings)[number];

export interface DecodedText {
  text: string;
  encoding: Encoding;
}

/**
 * Text of a file: UTF-8, or UTF-16 with a byte-order mark, or what `asked` says. The mark is not part of the text.
 * Nothing is guessed: wrong letters in a name are worse than a question.
 * @throws the refusals `binary-file` and `unknown-encoding`
 */
export function decodeText(bytes: Uint8Array, name: string, asked?: Encoding): DecodedText {
  const encoding = byteOrderMark(bytes) ?? asked ?? 'utf-8';
  // UTF-16 is full of zero bytes; elsewhere a zero byte means that this is no text
  if (!encoding.startsWith('utf-16') && bytes.subarray(0, 65_536).includes(0)) {
    throw refuse(
      'binary-file',
      `"${name}" is not a text file. Ask the user for a text, Markdown, CSV, HTML or JSON file, or a Word (.docx) file for docs_read_docx.`,
    );
  }
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    const others = encodings.filter((one) => one !== encoding).join(', ');
    throw refuse(
      'unknown-encoding',
      `"${name}" is not valid ${encoding}. Ask the user to save it as UTF-8, or, if the user knows its encoding, ` +
        `call again with "encoding" set to it (${others}).`,
    );
  }
}

function byteOrderMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}
