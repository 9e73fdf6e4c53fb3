import { measureMonolith } from '@skillgate/contracts/calls/catalog';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';

/** Tokens of every skill body and every tool definition: what a prompt without gates would carry. */
export interface Monolith {
  bodiesTokens: number;
  allToolsTokens: number;
}

/** Milliseconds that the figures are good for; they change when skills are published or executors join. */
const freshMs = 60_000;
/** Milliseconds after which failed figures are asked for again. */
const retryMs = 5_000;
/** Milliseconds that a turn waits for the first figures of this process. */
const patienceMs = 1_000;

/**
 * Asks catalog and registry at most once a minute, behind the turn that notices: it gets the figures of before. A measure
 * never fails a turn: unknown is null, and the log says why.
 */
export function monolithMeter(wire: Pick<Wire, 'call'>, log: Log): () => Promise<Monolith | null> {
  let held: Monolith | null = null;
  let asked = -Infinity;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    asked = Date.now();
    try {
      const [{ bodiesTokens }, { allToolsTokens }] = await Promise.all([wire.call(measureMonolith, {}), wire.call(listProfiles, {})]);
      held = { bodiesTokens, allToolsTokens };
    } catch (error) {
      asked += retryMs - freshMs;
      log.warn({ err: error }, 'what a prompt without gates would cost is not known');
    }
  };

  return async () => {
    if (!asking && Date.now() - asked > freshMs) asking = ask().finally(() => (asking = undefined));
    if (!held && asking) await within(asking, patienceMs);
    return held;
  };
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
