import { parseArgs } from 'node:util';

export const packKitUsage = `bin/skillgate pack-kit [DIR]    makes skillgate-executor-kit-VERSION.tgz in DIR (.): the kit as npm publishes and installs it

  --version V  major.minor.patch in place of the version in libs/executor-kit/package.json`;

export interface PackKitArguments {
  readonly to: string;
  readonly version?: string;
  readonly help: boolean;
}

/** @throws an error that says what is wrong with the words */
export function packKitArguments(words: string[]): PackKitArguments {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { version: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (positionals.length > 1) throw new Error('name one folder');
  if (values.version !== undefined && !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(values.version)) throw new Error(`--version ${values.version} is not major.minor.patch`);
  return { to: positionals[0] ?? '.', version: values.version, help: values.help };
}
