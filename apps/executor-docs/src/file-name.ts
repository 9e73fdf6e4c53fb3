import { refuse } from '@skillgate/contracts/refusal';

const longest = 120;
/** Path signs of every system, signs that Windows forbids, and control characters. */
const forbidden = /[\\/:*?"<>|\p{Cc}\p{Cf}]/u;
/** Device names of Windows: a file of that name cannot be opened there. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A plain file name with one of the allowed extensions; `extensions[0]` is added when there is none.
 * @throws the refusal `bad-file-name`, which says what to give instead
 */
export function checkFileName(given: string, extensions: readonly string[]): { name: string; extension: string } {
  const trimmed = given.normalize('NFC').trim();
  const wrong = (why: string) => refuse('bad-file-name', `"file_name" ${why}. Give a plain name such as "report.${extensions[0]}".`);
  if (forbidden.test(trimmed) || trimmed === '..') throw wrong('must not hold folders, any of \\ / : * ? " < > | or invisible characters');
  if (device.test(trimmed)) throw wrong('is a device name on Windows');

  const dot = trimmed.lastIndexOf('.');
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(trimmed)?.[1]?.toLowerCase();
  const stem = ending ? trimmed.slice(0, dot) : trimmed;
  if (stem.replaceAll('.', '').trim() === '') throw wrong('has no name before its extension');
  if (ending && !extensions.includes(ending))
    throw wrong(`ends in ".${ending}", and this tool makes ${extensions.map((one) => `.${one}`).join(', ')}`);
  const extension = ending ?? extensions[0] ?? '';
  const name = `${stem}.${extension}`;
  if (name.length > longest) throw wrong(`is longer than ${longest} characters`);
  return { name, extension };
}
