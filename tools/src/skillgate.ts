import { root } from '@skillgate/standalone/run-from-source';
import { connectWire } from '@skillgate/wire/connect';
import { join, resolve } from 'node:path';
import { deadLetters, lettersOf } from './dead-letters.js';
import { type DeadLettersArguments, deadLettersArguments, deadLettersUsage } from './dead-letters-arguments.js';
import { lintArguments, lintUsage, type LintArguments } from './lint/lint-arguments.js';
import { runLint } from './lint/run-lint.js';
import { printDeadLetters } from './print-dead-letters.js';
import { reachHouse } from './reach-house.js';

const user = 'operator-tools';
const usage = `${lintUsage}\n\n${deadLettersUsage}`;
const [command, ...words] = process.argv.slice(2);
const calledFrom = process.env.SKILLGATE_CALLED_FROM ?? process.cwd();

if (command === 'lint') lint(words);

/** Ends the process with a hint when the words of the call are off. */
function readArguments(): DeadLettersArguments {
  try {
    if (command === '--help' || command === '-h') return deadLettersArguments(['--help'], lettersOf);
    if (command !== 'dead-letters') throw new Error(command ? `there is no command "${command}"` : 'name a command');
    return deadLettersArguments(words, lettersOf);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

function lint(words: string[]): never {
  let wanted: LintArguments;
  try {
    wanted = lintArguments(words);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${lintUsage}`);
    return process.exit(64); // EX_USAGE
  }
  if (wanted.help) console.log(lintUsage);
  try {
    process.exit(wanted.help ? 0 : runLint(wanted, calledFrom, (text) => process.stdout.write(`${text}\n`)));
  } catch (error) {
    console.error(`bin/skillgate: ${(error as Error).message}`);
    process.exit(66); // EX_NOINPUT
  }
}

const wanted = readArguments();
if (wanted.help) {
  console.log(command === 'dead-letters' ? deadLettersUsage : usage);
  process.exit(0);
}
try {
  const state = wanted.state === undefined ? join(root, '.skillgate/dev') : resolve(calledFrom, wanted.state);
  const { servers, password } = reachHouse(user, process.env, state);
  const wire = await connectWire({ service: user, servers, password, connectTimeoutMs: 3_000 });
  try {
    const result = await deadLetters(wire, wanted);
    console.log(wanted.json ? JSON.stringify(result) : printDeadLetters(result, wanted.verb === 'show'));
    if (result.done?.some(({ problem }) => problem)) process.exitCode = 1;
  } finally {
    await wire.close();
  }
} catch (error) {
  console.error(`bin/skillgate: ${(error as Error).message}`);
  process.exitCode = 69; // EX_UNAVAILABLE
}
