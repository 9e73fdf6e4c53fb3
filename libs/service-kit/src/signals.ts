import { constants } from 'node:os';
import type { Log } from './log.js';

/** Ctrl-C reaches a whole process group, and npm and bin/dev pass it on: what comes so soon is the same wish, not a second. */
const sameWishMs = 400;

/**
 * The first SIGTERM or SIGINT runs `stop` and ends the process: code 0 when it resolves, 1 when it rejects. A second one
 * ends it at once, with 128 + the number of the signal. Call it once a process; `stop` may end several services.
 */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince < sameWishMs) return;
      log.warn({ signal }, 'second signal: the drain is broken off');
      process.exit(128 + constants.signals[signal]);
    }
    stoppingSince = Date.now();
    log.info({ signal }, 'draining; a second signal ends the process at once');
    try {
      await stop();
    } catch (error) {
      log.error({ err: error }, 'stopped, but not cleanly');
      process.exit(1);
    }
    log.info({ ms: Date.now() - stoppingSince }, 'stopped');
    process.exit(0);
  }

  process.on('SIGTERM', (signal) => void end(signal));
  process.on('SIGINT', (signal) => void end(signal));
}

/** A bug that nobody caught: told in the log, where secrets are redacted, and the end of the process. */
export function dieOnUncaught(log: Log): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'the process ends: nobody caught this error');
    process.exit(1);
  });
}
