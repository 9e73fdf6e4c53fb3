import { root } from '@skillgate/standalone/run-from-source';
import { connectWire } from '@skillgate/wire/connect';
import { join, resolve } from 'node:path';
import { deadLetters, lettersOf } from './dead-letters.js';
import { deadLettersArguments, deadLettersUsage } from './dead-letters-arguments.js';
import { lintArguments, lintUsage } from './lint/lint-arguments.js';
import { runLint } from './lint/run-lint.js';
import { printDeadLetters } from './print-dead-letters.js';
import { reachHouse } from './reach-house.js';

const user = 'operator-tools';
const calledFrom = process.env.SKILLGATE_CALLED_FROM ?? process.cwd();
const [command, ...words] = process.argv.slice(2);

/** Reads the words of the call, or ends the process with a hint when they are off or ask for help. */
function readArguments<T extends { readonly help: boolean }>(read: () => T, usage: string): T {
  try {
    const wanted = read();
    if (!wanted.help) return wanted;
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

async function callDeadLetters(): Promise<number> {
  const wanted = readArguments(() => deadLettersArguments(words, lettersOf), deadLettersUsage);
  const state = wanted.state === undefined ? join(root, '.skillgate/dev') : resolve(calledFrom, wanted.state);
  const { servers, password } = reachHouse(user, process.env, state);
  const wire = await connectWire({ service: user, servers, password, connectTimeoutMs: 3_000 });
  try {
    const result = await deadLetters(wire, wanted);
    console.log(wanted.json ? JSON.stringify(result) : printDeadLetters(result, wanted.verb === 'show'));
    return result.done?.some(({ problem }) => problem) ? 1 : 0;
  } finally {
    await wire.close();
  }
}

/** Each answers with the exit code; when it throws, `unable` is the code. */
const commands: Readonly<Record<string, { readonly run: () => number | Promise<number>; readonly unable: number }>> = {
  lint: { run: () => runLint(readArguments(() => lintArguments(words), lintUsage), calledFrom, (text) => console.log(text)), unable: 66 }, // EX_NOINPUT
  'dead-letters': { run: callDeadLetters, unable: 69 }, // EX_UNAVAILABLE
};

const chosen = readArguments(() => {
  const asked = command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined;
  const help = command === '--help' || command === '-h';
  if (!asked && !help) throw new Error(command ? `there is no command "${command}"` : 'name a command');
  return { help, asked };
}, `${lintUsage}\n\n${deadLettersUsage}`).asked!;
try {
  process.exitCode = await chosen.run(); // not exit: a long answer into a pipe must arrive whole
} catch (error) {
  console.error(`bin/skillgate: ${(error as Error).message}`);
  process.exitCode = chosen.unable;
}
