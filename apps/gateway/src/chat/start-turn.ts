import { startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallInput, CallOutput } from '@skillgate/contracts/define-call';
import { isUnavailable } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds in which a turn that did not begin is asked for again: an instance that died or a database that is restarted fits in. */
export const startPatienceMs = 10_000;

/** Milliseconds that one asking waits: beginning a turn takes one commit, and who was asked may have died. */
const deadlineMs = 2_500;
const pauseMs = 250;

/**
 * Asks for a turn until somebody says that it has begun. Its id makes that safe: asked for twice, it begins once.
 *
 * @throws the refusals of `start-turn`; Unavailable when nobody said so in time, and it may have begun
 */
export async function askForTurn(wire: Pick<Wire, 'call'>, asked: CallInput<typeof startTurn>, patienceMs = startPatienceMs): Promise<CallOutput<typeof startTurn>> {
  for (const end = Date.now() + patienceMs; ; ) {
    try {
      return await wire.call(startTurn, asked, { deadlineMs });
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + pauseMs >= end) throw error;
      await pause(pauseMs);
    }
  }
}
