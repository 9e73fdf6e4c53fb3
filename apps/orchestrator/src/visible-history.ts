import type { HistoryItem } from '@skillgate/prompt/history';

/** What stands in place of the beginning of a chat that had become too long for its model. */
export interface Compacted {
  /** How many items of the chat it stands for. They stay in the chat; no model reads them any more. */
  from: number;
  /** The summary, the skills that are loaded, and what the running turn was asked. */
  items: HistoryItem[];
}

/** The chat as a model reads it. */
export const visibleOf = (history: readonly HistoryItem[], compacted: Compacted | null | undefined): HistoryItem[] =>
  compacted ? [...compacted.items, ...history.slice(compacted.from)] : [...history];
