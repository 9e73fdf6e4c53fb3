import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';

/** Milliseconds until a bucket is looked after again: one that was lost with its broker comes back. */
const againMs = 60_000;

/** Sees to it that an executor has a bucket for the ledger of its calls. Never rejects: without one it refuses them, and says so. */
export type CallLedgers = (executor: string) => Promise<void>;

/** Executors may not create what they write into (see ADR 14), so whoever calls them does. */
export function callLedgers(wire: Pick<Wire, 'makeKeyValues'>, log: Log): CallLedgers {
  const made = new Map<string, { at: number; done: Promise<void> }>();
  return async (executor) => {
    const before = made.get(executor);
    if (before && Date.now() - before.at < againMs) return before.done;
    const done = wire.makeKeyValues(callLedgerBucket(executor)).catch((error: unknown) => {
      made.delete(executor);
      log.warn({ err: error, executor }, 'the bucket for the calls of an executor could not be made; it refuses calls with effects until there is one');
    });
    made.set(executor, { at: Date.now(), done });
    return done;
  };
}
