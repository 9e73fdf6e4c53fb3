import type { TurnFacts } from './entities.js';
import type { Monolith } from './monolith.js';
import type { TurnContext } from './turn-context.js';

/** What the route keeps beside the steps. */
export function factsOf({ entries, withheld, prefixHash, meter }: TurnContext, monolith: Monolith | null): TurnFacts {
  return { visible: entries.map((entry) => entry.slug), withheld, tokens: meter.ledger(monolith), catalogHash: prefixHash };
}
