import { parseArgs } from 'node:util';

export const callUsage = `bin/skillgate call TOOL JSON --account ID    runs one tool of a running house in an account: for real, and in its audit log

  --account ID  the account; "pro" and "free" are the demonstration accounts of a house that bin/dev runs
  --url URL     REST of the house; SKILLGATE_OPERATOR_KEY is the key. Without it a house that bin/dev runs
  --state DIR   folder of that house (.skillgate/dev)
  --json        the whole answer as it came

What the account's plan or policies keep shut is refused; so is a tool whose calls its user has to approve.`;

export interface CallArguments {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly account: string;
  readonly url?: string;
  readonly state?: string;
  readonly json: boolean;
  readonly help: boolean;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws an error that says what is wrong with the words */
export function callArguments(words: string[]): CallArguments {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      url: { type: 'string' },
      state: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [tool = '', text = '{}', ...more] = positionals;
  const { account = '', url, state, json, help } = values;
  if (help) return { tool, args: {}, account, json, help };
  if (!/^[a-z][a-z0-9_]*$/.test(tool)) throw new Error('name the tool; bin/skillgate tools lists them');
  if (more.length > 0) throw new Error('give the arguments as one word of JSON, in quotes');
  if (!uuid.test(account) && account !== 'pro' && account !== 'free') throw new Error('--account names the account by its id; "pro" and "free" are those of bin/dev');
  return { tool, args: objectOf(text), account, url, state, json, help };
}

function objectOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`the arguments are no JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('the arguments of a tool are an object, such as {"text":"…"}');
  return value as Record<string, unknown>;
}
