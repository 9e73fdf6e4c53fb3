import { parseArgs } from 'node:util';

export const conformUsage = `bin/skillgate conform --executor NAME -- COMMAND …    tries an executor in any language: is every rule of docs/executor-protocol.md kept?

  --executor NAME  how the executor calls itself
  --plan FILE      calls of its tools to try it with (conformance.json); they run for real
  --nats URL       a NATS server that knows the users of this executor and of the services that the suite plays, and no house.
                   SKILLGATE_NATS_PASSWORD_<SERVICE> are their passwords. Without it the suite starts a server of its own
  --json           one JSON object instead of lines

COMMAND starts one instance and ends at SIGTERM. It gets SKILLGATE_NATS_URL and SKILLGATE_NATS_PASSWORD. Without a COMMAND the
suite says where it listens and waits; then two rules are not tried.`;

export interface ConformArguments {
  readonly executor: string;
  readonly plan: string;
  readonly nats?: string;
  readonly command: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function conformArguments(words: string[]): ConformArguments {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      executor: { type: 'string' },
      plan: { type: 'string', default: 'conformance.json' },
      nats: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { executor = '', plan, nats, json, help } = values;
  if (!help && !/^[a-z][a-z0-9-]{0,31}$/.test(executor)) throw new Error('--executor names the executor: lower-case letters, digits and hyphens, at most 32');
  if (positionals.length > 0 && !words.includes('--')) throw new Error(`put the command behind "--": bin/skillgate conform --executor ${executor} -- ${positionals.join(' ')}`);
  if (nats !== undefined && !/^(nats|tls):\/\//.test(nats)) throw new Error(`--nats ${nats} is no nats:// or tls:// address`);
  return { executor, plan, nats, command: positionals, json, help };
}
