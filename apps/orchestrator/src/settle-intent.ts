import { isUnavailable } from '@skillgate/contracts/refusal';
import type { Settlement } from '@skillgate/contracts/tool-call';
import { setTimeout as pause } from 'node:timers/promises';
import { throwIfLeft, whileHeld } from './leave-turn.js';
import type { TurnContext } from './turn-context.js';
import type { Intent } from './turn-records.js';

/** Milliseconds that one question to an executor takes at most. */
const askMs = 10_000;
const pauseMs = 500;

/** What became of a call; `running` passes for unknown when nobody waits longer. */
export type Settled = Exclude<Settlement, { state: 'running' }>;

/**
 * Asks an executor what became of a call that may have been sent. One that runs is waited for; one that never came is refused
 * from then on. A cancellation does not cut it short: what had happened is recorded.
 *
 * @param patienceMs milliseconds; an executor that says nothing until then leaves the call unknown
 * @throws when the turn goes on elsewhere
 */
export async function settleIntent({ wire, turn, signal, log, ledgers }: TurnContext, { executor, sentAs, tool }: Intent, patienceMs: number): Promise<Settled> {
  const request = { account: turn.account, turn: turn.turn, callId: sentAs };
  for (const end = Date.now() + patienceMs; ; ) {
    const left = Math.max(end - Date.now(), 1_000);
    try {
      await ledgers(executor);
      const settlement = await whileHeld(signal, wire.settleCall(executor, request, { deadlineMs: Math.min(askMs, left) }));
      if (settlement.state !== 'running') return settlement;
    } catch (error) {
      throwIfLeft(signal);
      if (!isUnavailable(error)) {
        log.error({ err: error, tool, executor }, 'an executor does not say what became of a call; it passes for unknown');
        return { state: 'unknown' };
      }
    }
    if (Date.now() >= end) return { state: 'unknown' };
    await whileHeld(signal, pause(pauseMs));
  }
}
