import type { TokenLedger } from '@skillgate/contracts/route';
import type { ChatMessage, FunctionTool } from '@skillgate/prompt/chat-message';
import { measureRequest } from '@skillgate/prompt/ledger';
import { loadedTexts } from '@skillgate/prompt/loaded-block';
import { splitPrefix } from '@skillgate/prompt/prefix';
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
function measure(context: TurnContext, first: ModelRequest, last: ModelRequest, monolith: Monolith | null): TokenLedger {
  const prefix = splitPrefix(context.prefix);
  const texts = loadedTexts(context.journal.history, context.entry);
  const { conversation: firstConversation } = measureRequest({ ...partsOf(first), prefix, loadedTexts: [], monolith: noMonolith });
  return measureRequest({ ...partsOf(last), prefix, loadedTexts: texts, monolith: { ...(monolith ?? noMonolith), firstConversation } });
}

const noMonolith: Monolith = { bodiesTokens: 0, allToolsTokens: 0 };

const partsOf = ({ messages, tools = [] }: ModelRequest) => ({ messages: messages as ChatMessage[], tools: tools as FunctionTool[] });
