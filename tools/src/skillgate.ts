import { root } from '@skillgate/standalone/run-from-source';
import { join, resolve } from 'node:path';
import { callArguments, callUsage } from './call-arguments.js';
import { conformArguments, conformUsage } from './conform/conform-arguments.js';
import { runConform } from './conform/run-conform.js';
import { lettersOf } from './dead-letters.js';
import { deadLettersArguments, deadLettersUsage } from './dead-letters-arguments.js';
import { importArguments, importUsage } from './import/import-arguments.js';
import { runImport } from './import/run-import.js';
import { lintArguments, lintUsage } from './lint/lint-arguments.js';
import { runLint } from './lint/run-lint.js';
import { newExecutor } from './new-executor/new-executor.js';
import { newExecutorArguments, newExecutorUsage } from './new-executor/new-executor-arguments.js';
import { packKit } from './pack-kit/pack-kit.js';
import { packKitArguments, packKitUsage } from './pack-kit/pack-kit-arguments.js';
import { rotateArguments, rotateUsage } from './rotate-credentials-arguments.js';
import { runCall } from './run-call.js';
import { runDeadLetters } from './run-dead-letters.js';
import { runRotateCredentials } from './run-rotate-credentials.js';
import { runToolsList } from './run-tools-list.js';
import { toolsListArguments, toolsListUsage } from './tools-list-arguments.js';

interface Read {
  readonly help: boolean;
  /** The folder of the house, for a command that works on a running one. */
  readonly state?: string;
}

interface Command {
  readonly usage: string;
  /** The exit code of a run that threw. */
  readonly unable: number;
  /** @throws when the words are off. @returns what to do with the folder of the house; the exit code comes of it */
  read(words: string[]): Read & { run(state: string): Promise<number> };
}

/** Keeps what was read together with what it is for. */
const command = <A extends Read>(
  usage: string,
  read: (words: string[]) => A,
  run: (wanted: A, state: string) => number | Promise<number>,
  unable = 69, // EX_UNAVAILABLE
): Command => ({
  usage,
  unable,
  read: (words) => {
    const wanted = read(words);
    return { help: wanted.help, state: wanted.state, run: async (folder) => run(wanted, folder) };
  },
});

const calledFrom = process.env.SKILLGATE_CALLED_FROM ?? process.cwd();
const commands: Readonly<Record<string, Command>> = {
  lint: command(lintUsage, lintArguments, (wanted) => runLint(wanted, calledFrom, console.log), 66), // EX_NOINPUT
  import: command(importUsage, importArguments, (wanted, state) => runImport(wanted, state, calledFrom, console.log)),
  tools: command(toolsListUsage, toolsListArguments, (wanted, state) => runToolsList(wanted, state, console.log)),
  call: command(callUsage, callArguments, (wanted, state) => runCall(wanted, state, console.log)),
  conform: command(conformUsage, conformArguments, (wanted) => runConform(wanted, calledFrom, console.log)),
  new: command(newExecutorUsage, newExecutorArguments, async (wanted) => {
    await newExecutor(wanted, calledFrom, console.log);
    return 0;
  }, 73), // EX_CANTCREAT
  'pack-kit': command(packKitUsage, packKitArguments, async (wanted) => {
    console.log(await packKit(wanted, calledFrom));
    return 0;
  }),
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
const state = wanted.state === undefined ? join(root, '.skillgate/dev') : resolve(calledFrom, wanted.state);
try {
  process.exitCode = await wanted.run(state);
} catch (error) {
  console.error(`bin/skillgate: ${(error as Error).message}`);
  process.exitCode = chosen!.unable;
}
