import { type LoadedSkill, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import type { HistoryItem } from '@skillgate/prompt/history';
import { beginEpoch } from './begin-epoch.js';
import { loadedItem } from './loaded-item.js';
import type { TurnContext } from './turn-context.js';
import type { ChatState } from './turn-store.js';

/**
 * Asks the catalog, and the registry where skills are active already; then the prefix is frozen, or reused as it stands.
 */
export async function prepareTurn(context: TurnContext, chat: ChatState): Promise<void> {
  const { wire, ticket, entry, signal, journal } = context;
  const input = { ticket, modelUsesTools: entry.usesTools, pinned: chat.pinned };
  const answer = await wire.call(prepareTurnCall, input, { signal });
  context.toolsAllowed = answer.toolsAllowed;
  context.entries = answer.entries;
  context.withheld = answer.withheld;
  context.loaded = answer.toolsAllowed ? [...answer.always, ...answer.loaded] : [];
  await context.held.openAll(context.loaded);
  const { prefix, notice } = beginEpoch(chat, answer.toolsAllowed, answer.entries);
  context.prefix = prefix.prefix ?? '';
  context.prefixHash = prefix.prefixHash;
  if (notice) journal.history.push(notice);
  if (answer.toolsAllowed) journal.history.push(...newAlways(context, answer.always));
  journal.freeze(prefix);
}

/** `always` instructions enter a chat once a version, not once a turn. */
function newAlways(context: TurnContext, always: readonly LoadedSkill[]): HistoryItem[] {
  const known = new Set(context.journal.history.flatMap((item) => (item.kind === 'loaded' ? item.skills.map((skill) => skill.digest) : [])));
  const fresh = always.filter((skill) => !known.has(skill.digest));
  return fresh.length === 0 ? [] : [loadedItem(context, fresh.map((skill) => ({ skill })))];
}
