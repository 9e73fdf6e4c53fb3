import { countTokens } from '@skillgate/prompt/count-tokens';
import { exposeTools } from '@skillgate/prompt/expose';
import { flatten } from '@skillgate/prompt/flatten-history';
import { historyTokens } from '@skillgate/prompt/item-tokens';
import type { ModelEntry } from '@skillgate/prompt/models';
import type { TurnContext } from './turn-context.js';

/** Of a window at most this share is kept free for the answer, however long a model's longest is. */
const mostForAnswer = 0.25;

/**
 * Tokens up to which a chat goes to its model as it is.
 *
 * @param share of what the window leaves beside the answer: other models count tokens in other ways than we do
 */
export function roomOf({ contextTokens, maxOutputTokens }: ModelEntry, sampling: Record<string, unknown>, share: number): number {
  const asked = sampling.max_completion_tokens;
  const answer = Math.min(maxOutputTokens, contextTokens * mostForAnswer, typeof asked === 'number' ? asked : Infinity);
  return Math.floor((contextTokens - answer) * share);
}

/** Tokens of the next request, about: prefix, tools and history. */
export function contextTokens(context: TurnContext): number {
  const { prefix, journal, toolsAllowed } = context;
  const tools = toolsAllowed ? countTokens(toolsOf(context)) : 0;
  return countTokens(prefix) + tools + historyTokens(toolsAllowed ? journal.visible : flatten(journal.visible));
}

/** Is it so short that nobody need count? No token is shorter than a byte. */
export function surelyFits(context: TurnContext, room: number): boolean {
  let bytes = Buffer.byteLength(context.prefix) + (context.toolsAllowed ? Buffer.byteLength(toolsOf(context)) : 0);
  for (const item of context.journal.visible) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > room) return false;
  }
  return true;
}

const toolsOf = ({ entry, held }: TurnContext): string => JSON.stringify(exposeTools(entry.plan, held.tools, entry.dialect).tools);
