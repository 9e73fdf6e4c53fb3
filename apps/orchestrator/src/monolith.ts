import { measureMonolith } from '@skillgate/contracts/calls/catalog';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import type { Wire } from '@skillgate/wire/wire';

/** Tokens of every skill body and every tool definition: what a prompt without gates would carry. */
export interface Monolith {
  bodiesTokens: number;
  allToolsTokens: number;
}

/** Milliseconds that the figures are good for; they change when skills are published or executors join. */
const freshMs = 60_000;

/** Asks catalog and registry at most once a minute. It is a measure and never fails a turn: unknown counts as null. */
export function monolithMeter(wire: Wire): () => Promise<Monolith | null> {
  let held: { at: number; value: Promise<Monolith> } | undefined;
  return async () => {
    if (!held || Date.now() - held.at > freshMs) held = { at: Date.now(), value: measure(wire) };
    const { value } = held;
    return value.catch(() => {
      if (held?.value === value) held = undefined; // a failed measure is not held for a minute
      return null;
    });
  };
}

async function measure(wire: Wire): Promise<Monolith> {
  const [{ bodiesTokens }, { allToolsTokens }] = await Promise.all([wire.call(measureMonolith, {}), wire.call(listProfiles, {})]);
  return { bodiesTokens, allToolsTokens };
}
