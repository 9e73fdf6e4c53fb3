import { type LoadedSkill, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { HistoryItem } from '@skillgate/prompt/history';
import { askAgain } from './ask-again.js';
import { beginEpoch } from './begin-epoch.js';
import { loadedItem } from './loaded-item.js';
import type { TurnContext } from './turn-context.js';
import type { ChatState } from './turn-records.js';

type Answer = CallOutput<typeof prepareTurnCall>;

/**
 * Asks the catalog, and the registry where skills are active already; then the prefix is frozen, or reused as it stands.
 * Reads and changes this turn's memory alone, so that it may run while the turn is being written down.
 */
export async function prepareTurn(context: TurnContext, chat: ChatState): Promise<void> {
  let answer = await askCatalog(context);
  const epoch = await openActive(context, answer);
  // The registry knows of a change that the catalog had not heard of.
  if (epoch !== undefined && epoch > answer.policyEpoch) {
    answer = await askCatalog(context);
    await openActive(context, answer);
  }
  const { toolsAllowed, entries, withheld, always, loaded } = answer;
  const { prefix, notice } = beginEpoch(chat, { toolsAllowed, entries, always: slugsOf(always), loaded: slugsOf(loaded) });
  Object.assign(context, { toolsAllowed, entries, withheld, prefix: prefix.prefix ?? '', prefixHash: prefix.prefixHash });
  const { history } = context.journal;
  if (notice) history.push(notice);
  const added = toolsAllowed ? loadedItem(context, newAlways(history, always).map((skill) => ({ skill }))) : null;
  if (added) history.push(added);
  context.journal.freeze(prefix);
}

function askCatalog({ wire, ticket, entry, pinned, signal }: TurnContext): Promise<Answer> {
  return askAgain(() => wire.call(prepareTurnCall, { ticket, modelUsesTools: entry.usesTools, pinned }, { signal }), signal);
}

function openActive(context: TurnContext, { toolsAllowed, always, loaded }: Answer): Promise<number | undefined> {
  context.loaded = toolsAllowed ? inOrderOfEntry([...loaded, ...always], context.journal.history) : [];
  return askAgain(() => context.held.openAll(context.loaded), context.signal);
}

const slugsOf = (skills: readonly LoadedSkill[]): string[] => skills.map((skill) => skill.slug);

const entered = (history: readonly HistoryItem[]) => history.flatMap((item) => (item.kind === 'loaded' ? item.skills : []));

/** Tools open in the order of their skills: in another one than last time, the `tools` array would change. New ones come last. */
function inOrderOfEntry(skills: LoadedSkill[], history: readonly HistoryItem[]): LoadedSkill[] {
  const slugs = entered(history).map(({ slug }) => slug);
  const place = ({ slug }: LoadedSkill) => (slugs.includes(slug) ? slugs.indexOf(slug) : slugs.length);
  return skills.sort((a, b) => place(a) - place(b));
}

/** `always` instructions enter a chat once a version, not once a turn. */
function newAlways(history: readonly HistoryItem[], always: readonly LoadedSkill[]): LoadedSkill[] {
  const known = new Set(entered(history).map(({ digest }) => digest));
  return always.filter(({ digest }) => !known.has(digest));
}
