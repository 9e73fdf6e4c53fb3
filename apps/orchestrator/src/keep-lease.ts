import { refuse } from '@skillgate/contracts/refusal';
import type { Log } from '@skillgate/service-kit/log';
import { notHeld } from './leave-turn.js';
import type { NewTurn } from './turn-records.js';
import type { TurnStore } from './turn-store.js';

/** Milliseconds between tries while the database is away: when it is back, who holds a turn must be faster than who looks for lapsed ones. */
export const retryMs = 500;

export const cancelledByUser = (): Error => refuse('turn-cancelled', 'This turn was cancelled.');

/** Renews the lease while the turn runs. A cancellation heard by another instance reaches this one the same way. */
export function keepLease(store: Pick<TurnStore, 'renew'>, turn: NewTurn, abort: AbortController, log: Log, leaseMs: number): { stop(): void } {
  let timer: NodeJS.Timeout;
  let stopped = false;
  let failing = false;
  const again = (ms: number) => {
    if (!stopped) timer = setTimeout(renew, ms);
  };
  const renew = () => {
    store.renew(turn).then(
      ({ held, cancelRequested }) => {
        failing = false;
        if (!held) abort.abort(notHeld());
        else if (cancelRequested) abort.abort(cancelledByUser());
        if (held) again(leaseMs / 3); // three tries fit into a lease: one missed renewal loses nothing
      },
      (error: unknown) => {
        if (!failing) log.warn({ err: error, turn: turn.turn }, 'the lease of a turn could not be renewed; it is tried again');
        failing = true;
        again(Math.min(retryMs, leaseMs / 3));
      },
    );
  };
  again(leaseMs / 3);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
