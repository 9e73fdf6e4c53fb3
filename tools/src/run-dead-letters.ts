import { connectWire } from '@skillgate/wire/connect';
import { deadLetters } from './dead-letters.js';
import type { DeadLettersArguments } from './dead-letters-arguments.js';
import { printDeadLetters } from './print-dead-letters.js';
import { reachHouse } from './reach-house.js';

const user = 'operator-tools';

/** @returns the exit code @throws when the house cannot be reached */
export async function runDeadLetters(wanted: DeadLettersArguments, state: string): Promise<number> {
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
