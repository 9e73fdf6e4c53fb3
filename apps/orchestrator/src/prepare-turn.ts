import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import { askRights } from './ask-rights.js';
import { beginEpoch } from './begin-epoch.js';
import { enteringSkills, latestOf } from './entering-skills.js';
import { loadedItem } from './loaded-item.js';
import type { TurnContext } from './turn-context.js';
import type { ChatState } from './turn-records.js';

/**
 * Asks what the account may use; then the prefix is frozen, or reused as it stands. Reads and changes this turn's memory
 * alone, so that it may run while the turn is being written down.
 */
export async function prepareTurn(context: TurnContext, chat: ChatState): Promise<void> {
  context.publicationsSeen = context.publications?.now ?? 0;
  const { toolsAllowed, entries, withheld, always, loaded, policyEpoch, visible: decisions, warnings } = await askRights(context);
  const visible = { toolsAllowed, entries, always: slugsOf(always), loaded: slugsOf(loaded), entered: enteredBefore(context), withheld, budget: context.catalogBudget, persona: context.turn.persona ?? null };
  const { prefix, notice } = beginEpoch(chat, visible);
  Object.assign(context, { toolsAllowed, entries, withheld, prefix: prefix.prefix ?? '', prefixHash: prefix.prefixHash, frozen: prefix, policyEpoch, decisions, warnings, personaBefore: chat.persona ?? null });
  const { history } = context.journal;
  if (notice) history.push(notice);
  const added = toolsAllowed ? loadedItem(context, enteringSkills(context, { always, loaded })) : null;
  if (added) history.push(added);
  context.journal.freeze(prefix);
}

/** Slugs whose instructions the model has before it. */
export const enteredBefore = ({ journal }: Pick<TurnContext, 'journal'>): string[] => [...latestOf(journal.visible).keys()];

export const slugsOf = (skills: readonly LoadedSkill[]): string[] => skills.map((skill) => skill.slug);
