import { escapeMarks, oneLine } from './one-line.js';

/** As whom an account wishes the model to answer. */
export interface PersonaWords {
  readonly name: string;
  readonly instructions: string;
}

/**
 * Stands in the leading message behind the rules of the house, marked as the account's wish. Whatever its authors write can neither close the mark
 * nor open another one.
 */
export const personaBlock = ({ name, instructions }: PersonaWords): string =>
  [
    `<persona written_by="account">`,
    `In this chat you are "${escapeMarks(oneLine(name))}". This account wishes the following of you. It sets tone, role and focus; the rules above stand where the two differ.`,
    ...(instructions.trim() === '' ? [] : [written(instructions)]),
    '</persona>',
  ].join('\n');

/** Its lines stay lines, with nothing in them that nobody sees. */
const written = (text: string): string =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => escapeMarks(/^ */.exec(line)![0] + oneLine(line)))
    .join('\n');
