import { countTokens } from './count-tokens.js';
import type { HistoryItem } from './history.js';

// About what providers count for one; it has no length that could be counted here.
const imageTokens = 1_000;
// What a provider adds around a message.
const aroundTokens = 4;

/** Tokens of an item as it stands in a request, about: the texts in o200k, each image the same. */
export function itemTokens(item: HistoryItem): number {
  switch (item.kind) {
    case 'user':
      if (typeof item.content === 'string') return aroundTokens + countTokens(item.content);
      return item.content.reduce((sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : imageTokens), aroundTokens);
    case 'assistant':
      return item.calls.reduce((sum, call) => sum + aroundTokens + countTokens(JSON.stringify(call)), aroundTokens + countTokens(item.text));
    case 'result':
      return aroundTokens + countTokens(item.content) + (item.images?.length ?? 0) * imageTokens;
    case 'loaded':
      return item.skills.reduce((sum, skill) => sum + aroundTokens + countTokens(skill.instructions), item.schemas ? countTokens(item.schemas) : 0);
    case 'facts':
    case 'notice':
    case 'summary':
      return aroundTokens + countTokens(item.text);
  }
}

export const historyTokens = (items: readonly HistoryItem[]): number => items.reduce((sum, item) => sum + itemTokens(item), 0);
