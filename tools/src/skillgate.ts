import { root } from '@skillgate/standalone/run-from-source';
import { join, resolve } from 'node:path';
import { lettersOf } from './dead-letters.js';
import { deadLettersArguments, deadLettersUsage } from './dead-letters-arguments.js';
import { rotateArguments, rotateUsage } from './rotate-credentials-arguments.js';
import { runDeadLetters } from './run-dead-letters.js';
import { runRotateCredentials } from './run-rotate-credentials.js';

interface Read {
  readonly help: boolean;
  readonly state?: string;
}

interface Command {
  readonly usage: string;
  /** @throws when the words are off. @returns what to do with the folder of the house; the exit code comes of it */
  read(words: string[]): Read & { run(state: string): Promise<number> };
}

/** Keeps what was read together with what it is for. */
const command = <A extends Read>(
  usage: string,
  read: (words: string[]) => A,
  run: (wanted: A, state: string) => Promise<number>,
): Command => ({
  usage,
  read: (words) => {
    const wanted = read(words);
    return { help: wanted.help, state: wanted.state, run: (folder) => run(wanted, folder) };
  },
});

const commands: Readonly<Record<string, Command>> = {
  'dead-letters': command(deadLettersUsage, (words) => deadLettersArguments(words, lettersOf), runDeadLetters),
  'rotate-credentials': command(rotateUsage, rotateArguments, runRotateCredentials),
};
const usage = Object.values(commands)
  .map((each) => each.usage)
  .join('\n\n');

const [name, ...words] = process.argv.slice(2);
const chosen = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;

/** Ends the process with a hint when the words of the call are off. */
function readArguments(): ReturnType<Command['read']> {
  try {
    if (!chosen) throw new Error(name ? `there is no command "${name}"` : 'name a command');
    return chosen.read(words);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${chosen?.usage ?? usage}`);
    return process.exit(64); // EX_USAGE
  }
}

if (name === '--help' || name === '-h') {
  console.log(usage);
  process.exit(0);
}
const wanted = readArguments();
if (wanted.help) {
  console.log(chosen!.usage);
  process.exit(0);
}
const calledFrom = process.env.SKILLGATE_CALLED_FROM ?? process.cwd();
const state = wanted.state === undefined ? join(root, '.skillgate/dev') : resolve(calledFrom, wanted.state);
try {
  process.exitCode = await wanted.run(state);
} catch (error) {
  console.error(`bin/skillgate: ${(error as Error).message}`);
  process.exitCode = 69; // EX_UNAVAILABLE
}
