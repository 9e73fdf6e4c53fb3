import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { Log } from '@skillgate/service-kit/log';
import { leaseMs } from './place-store.js';
import type { NewTurn } from './turn-records.js';
import type { TurnStore } from './turn-store.js';

/** Three tries fit into a lease: one missed renewal loses nothing. */
const renewEveryMs = leaseMs / 3;

export const cancelledByUser = (): Error => refuse('turn-cancelled', 'This turn was cancelled.');

/** Renews the lease while the turn runs. A cancellation heard by another instance reaches this one the same way. */
export function keepLease(store: TurnStore, turn: NewTurn, abort: AbortController, log: Log): { stop(): void } {
  const timer = setInterval(() => {
    store.renew(turn.account, turn.turn).then(
      ({ held, cancelRequested }) => {
        if (!held) abort.abort(unavailable('turn-not-held', 'This turn was taken from its instance.'));
        else if (cancelRequested) abort.abort(cancelledByUser());
      },
      (error: unknown) => log.warn({ err: error, turn: turn.turn }, 'the lease of a turn could not be renewed'),
    );
  }, renewEveryMs);
  return { stop: () => clearInterval(timer) };
}
