import { parseArgs } from 'node:util';

export const rotateUsage = `bin/skillgate rotate-credentials    encrypt all credentials of integrations anew, under the first of SKILLGATE_CREDENTIAL_KEYS

  --url URL    REST of the house; SKILLGATE_OPERATOR_KEY is the key. Without it a house that bin/dev runs
  --state DIR  folder of that house (.skillgate/dev)
  --batch N    credentials in one request, 1 to 500 (100)
  --json       one JSON object at the end instead of lines

To change the key: append the new one to the list on every replica of accounts, then put it first, then run this; when it says
that 0 are left, the old one may go. Tools go on meanwhile. Broken off, it goes on when it is run again.`;

export interface RotateArguments {
  readonly url?: string;
  readonly state?: string;
  readonly batch: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function rotateArguments(words: string[]): RotateArguments {
  const { values } = parseArgs({
    args: words,
    options: {
      url: { type: 'string' },
      state: { type: 'string' },
      batch: { type: 'string', default: '100' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const batch = Number(values.batch);
  if (!Number.isInteger(batch) || batch < 1 || batch > 500) throw new Error(`--batch ${values.batch} is no number from 1 to 500`);
  if (values.url !== undefined && !/^https?:\/\//.test(values.url))
    throw new Error(`--url ${values.url} is no http:// or https:// address`);
  return { url: values.url, state: values.state, batch, json: values.json, help: values.help };
}
