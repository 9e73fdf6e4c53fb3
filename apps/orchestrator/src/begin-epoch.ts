import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import type { HistoryItem } from '@skillgate/prompt/history';
import { renderPrefix } from '@skillgate/prompt/prefix';
import type { ChatState, Prefix } from './turn-store.js';

/** The prefix that this turn sends, and what the model must be told because the frozen one says otherwise. */
export interface EpochStart {
  prefix: Prefix;
  notice: Extract<HistoryItem, { kind: 'notice' }> | null;
}

/**
 * The prefix of a chat is frozen, byte for byte. A change of the catalog is appended as a notice; only a chat that gains
 * or loses tools altogether begins a new epoch, since its whole history is projected differently then.
 */
export function beginEpoch(chat: ChatState, toolsAllowed: boolean, entries: readonly CatalogEntry[]): EpochStart {
  const slugs = entries.map((entry) => entry.slug).sort();
  if (chat.prefix === null || chat.prefixTools !== toolsAllowed) {
    const { text, hash } = renderPrefix({ tools: toolsAllowed, entries: [...entries] });
    const epoch = chat.prefix === null ? 0 : chat.epoch + 1;
    return { prefix: { prefix: text, prefixHash: hash, prefixTools: toolsAllowed, announced: slugs, epoch }, notice: null };
  }
  const added = entries.filter((entry) => !chat.announced.includes(entry.slug));
  const removed = chat.announced.filter((slug) => !slugs.includes(slug));
  const { prefix, prefixHash, prefixTools, epoch } = chat;
  return { prefix: { prefix, prefixHash, prefixTools, epoch, announced: slugs }, notice: noticeOf(added, removed) };
}

function noticeOf(added: CatalogEntry[], removed: string[]): EpochStart['notice'] {
  if (added.length === 0 && removed.length === 0) return null;
  const lines = [
    ...added.map(({ slug, description }) => `- now also available: ${slug}: ${description}`),
    ...removed.map((slug) => `- no longer available: ${slug}`),
  ];
  return { kind: 'notice', text: `The list of skills has changed:\n${lines.join('\n')}` };
}
