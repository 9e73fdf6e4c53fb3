import { error, type Problem } from './problem.js';

/** A skill travels in one message with its instructions; half of the wire's 256 KiB leaves room for everything around it. */
export const maxFileBytes = 128 * 1024;

/** UTF-8 bytes to text with `\n` line ends and without a byte-order mark: the only place where files become text. */
export const decodeText = (bytes: Uint8Array): { text: string } | { problem: Problem } =>
  bytes.length > maxFileBytes ? { problem: tooLarge(bytes.length) } : decodeAnyLength(bytes);

/** The same for a file that is only looked through: hidden text is no better for being far below. */
export function decodeAnyLength(bytes: Uint8Array): { text: string } | { problem: Problem } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { problem: error('file-encoding', 'The file is saved as UTF-16; save it as UTF-8.') };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { problem: error('file-encoding', 'The file holds bytes that are not UTF-8; save it as UTF-8.') };
  }
  if (text.includes('\0'))
    return { problem: error('file-binary', 'The file holds a NUL character, so it is not text; save it as UTF-8 text.') };
  return { text: text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n') }; // Windows and old Mac line ends
}

const tooLarge = (size: number): Problem =>
  error('file-size', `The file has ${size} bytes and may have ${maxFileBytes}; move detail into files under references/.`);
