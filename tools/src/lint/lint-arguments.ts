import { parseArgs } from 'node:util';

export const lintUsage = `bin/skillgate lint [DIR] [--json] [--strict]        what is wrong with skills, where, and what to do about it

  DIR       a folder of skills, or the folder of one skill, which is judged beside its neighbours (skills)
  --json    one JSON object: {"skills", "errors", "warnings", "findings"}
  --strict  warnings fail too

Ends with 0, with 1 when there are errors, with 66 when there is nothing to read.`;

export interface LintArguments {
  readonly directory?: string;
  readonly json: boolean;
  readonly strict: boolean;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function lintArguments(words: string[]): LintArguments {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new Error('lint takes one folder');
  return { ...values, ...(positionals[0] !== undefined && { directory: positionals[0] }) };
}
