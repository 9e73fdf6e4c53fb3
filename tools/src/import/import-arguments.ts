import { parseArgs } from 'node:util';

export const importUsage = `bin/skillgate import PATH    publish the skills of a folder or a zip in a running house: all of them, or none and every reason

  --lenient    unknown fields, foreign metadata and a name that differs from its folder are warnings
  --account    save the one skill of PATH as a draft of the account whose key it is, in place of publishing it for everybody
  --url URL    REST of the house; SKILLGATE_OPERATOR_KEY is the key. Without it a house that bin/dev runs
  --state DIR  folder of that house (.skillgate/dev)
  --json       the answer as it came instead of lines`;

export interface ImportArguments {
  readonly path: string;
  readonly lenient: boolean;
  readonly account: boolean;
  readonly url?: string;
  readonly state?: string;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function importArguments(words: string[]): ImportArguments {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      lenient: { type: 'boolean', default: false },
      account: { type: 'boolean', default: false },
      url: { type: 'string' },
      state: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { lenient, account, url, state, json, help } = values;
  if (!help && positionals.length !== 1) throw new Error('name one folder or zip');
  if (url !== undefined && !/^https?:\/\//.test(url)) throw new Error(`--url ${url} is no http:// or https:// address`);
  return { path: positionals[0] ?? '', lenient, account, url, state, json, help };
}
