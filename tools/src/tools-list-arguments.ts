import { parseArgs } from 'node:util';

export const toolsListUsage = `bin/skillgate tools    what executors announce to a running house, and whether it may be used

  --executor NAME  tools of one executor
  --url URL        REST of the house; SKILLGATE_OPERATOR_KEY is the key. Without it a house that bin/dev runs
  --state DIR      folder of that house (.skillgate/dev)
  --json           the answer as it came`;

export interface ToolsListArguments {
  readonly executor?: string;
  readonly url?: string;
  readonly state?: string;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function toolsListArguments(words: string[]): ToolsListArguments {
  const { values } = parseArgs({
    args: words,
    options: {
      executor: { type: 'string' },
      url: { type: 'string' },
      state: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return values;
}
