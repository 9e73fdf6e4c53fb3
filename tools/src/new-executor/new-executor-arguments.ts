import { parseArgs } from 'node:util';
import { executorName, profileName } from '@skillgate/contracts/words';

export const newExecutorUsage = `bin/skillgate new executor NAME    makes apps/executor-NAME: code, tests, manifest and README, which pass at once

  --standalone DIR  makes it in DIR, outside this checkout, with a Dockerfile and a skill of its own; the kit is packed into DIR/vendor
  --kit VERSION     of a standalone one: takes the kit from your package registry in place of DIR/vendor
  --profile P       the profile of its tools (docs)`;

export interface NewExecutorArguments {
  readonly name: string;
  readonly standalone?: string;
  readonly kit?: string;
  readonly profile: string;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function newExecutorArguments(words: string[]): NewExecutorArguments {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      standalone: { type: 'string' },
      kit: { type: 'string' },
      profile: { type: 'string', default: 'docs' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [what, name = '', ...more] = positionals;
  const { standalone, kit, profile, help } = values;
  if (help) return { name, profile, help };
  if (what !== 'executor') throw new Error(what ? `"${what}" cannot be made; say: new executor NAME` : 'say what to make: new executor NAME');
  if (more.length > 0 || !executorName.safeParse(name).success) throw new Error('name the executor: lower-case letters, digits and hyphens, at most 32');
  if (!profileName.safeParse(profile).success) throw new Error(`--profile ${profile} is no name of a profile`);
  if (kit !== undefined && standalone === undefined) throw new Error('--kit is for a standalone executor; those of this checkout use its kit');
  return { name, standalone, kit, profile, help };
}
