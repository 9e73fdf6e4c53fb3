import type { TokenLedger } from '@skillgate/contracts/route';
import { measureRequest } from '@skillgate/prompt/ledger';
import type { ModelRequest } from './build-request.js';
import type { TurnFacts } from './entities.js';
import type { Monolith } from './monolith.js';
import type { TurnContext } from './turn-context.js';

const noTokens: TokenLedger = { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 };

/** What the route keeps beside the steps. Without requests, tokens are not measured yet. */
export function factsOf(context: TurnContext, sent?: { first?: ModelRequest; last?: ModelRequest; monolith: Monolith | null }): TurnFacts {
  const { entries, withheld, prefixHash } = context;
  return {
    visible: entries.map((entry) => entry.slug),
    withheld,
    tokens: sent?.first && sent.last ? measure(context, sent.first, sent.last, sent.monolith) : noTokens,
    catalogHash: prefixHash,
  };
}

/** The last request is the turn's largest; the monolith is what its first would have been without gates. */
function measure({ loaded }: TurnContext, first: ModelRequest, last: ModelRequest, monolith: Monolith | null): TokenLedger {
  return measureRequest({ first, last, loadedTexts: loaded.map((skill) => skill.instructions), monolith: monolith ?? { bodiesTokens: 0, allToolsTokens: 0 } });
}
