import { countLines } from '@skillgate/prompt/catalog-line';
import { splitPrefix } from '@skillgate/prompt/prefix';
import type { TurnFacts } from './entities.js';
import type { Monolith } from './monolith.js';
import type { TurnContext } from './turn-context.js';

/** What the route keeps beside the steps. */
export function factsOf({ entries, withheld, prefix, prefixHash, toolsAllowed, meter }: TurnContext, monolith: Monolith | null): TurnFacts {
  const catalogLines = toolsAllowed ? countLines(splitPrefix(prefix).catalog) : null;
  return { visible: entries.map((entry) => entry.slug), withheld, tokens: meter.ledger(monolith), catalogHash: prefixHash, catalogLines };
}
