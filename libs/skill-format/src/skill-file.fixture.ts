import { parseSkill, type ParsedPackage, type ParsedSkill } from './parse.js';

export const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** A whole file around a header. */
export const file = (header: string, body = 'Write the memo.\n'): Uint8Array => bytes(`---\n${header}\n---\n${body}`);

/** Parses a file in the folder `memo`. */
export const parse = (header: string, body?: string): ParsedPackage => parseSkill(file(header, body), 'memo');

export function skillOf(parsed: ParsedPackage): ParsedSkill {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.skill;
}

export const problemsOf = (parsed: ParsedPackage) => (parsed.ok ? [] : parsed.problems);
export const rulesOf = (parsed: ParsedPackage) => problemsOf(parsed).map(({ rule }) => rule);

export const header = 'name: memo\ndescription: Write a memo.';
