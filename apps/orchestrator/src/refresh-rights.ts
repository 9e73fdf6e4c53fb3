import { askRights, type Rights } from './ask-rights.js';
import { beginEpoch } from './begin-epoch.js';
import { whyWithheld } from './call-under-grant.js';
import { enteringSkills } from './entering-skills.js';
import { loadedItem } from './loaded-item.js';
import { enteredBefore, slugsOf } from './prepare-turn.js';
import { rightsNotice } from './rights-notice.js';
import type { TurnContext } from './turn-context.js';
import type { Prefix } from './turn-records.js';

/**
 * Before each step: when what the account may use has changed since this turn asked, or a skill that it holds, it asks anew and tells the model what
 * is different. The prefix stays as it was sent, and so do tools that the model saw: those that closed answer with the reason.
 *
 * A failure is no error of the turn: grants are renewed on the newer facts before each call in any case, and the next step asks again.
 */
export async function refreshRights(context: TurnContext): Promise<void> {
  const { held, frozen, signal, log, publications, publicationsSeen = 0 } = context;
  const epoch = held.newestEpoch;
  const published = publications?.since(publicationsSeen, context.loaded) ?? false;
  if (!frozen || !context.toolsAllowed || (epoch <= context.policyEpoch && !published)) {
    context.grantedTools = held.grantedTools;
    return;
  }
  const seen = publications?.now;
  try {
    const rights = await askRights(context, true);
    tellChange(context, frozen, rights);
    context.publicationsSeen = seen;
    context.policyEpoch = Math.max(epoch, rights.policyEpoch);
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ err: error, turn: context.turn.turn }, 'a turn could not ask what its account may use now; it asks again before its next step');
  }
}

function tellChange(context: TurnContext, frozen: Prefix, rights: Rights): void {
  const { held, journal, publisher, grantedTools: before } = context;
  const plain = !rights.toolsAllowed;
  const { entries, always, loaded } = plain ? nothing : rights;
  // Announced as if nothing were, so that what comes back later is told as new.
  const seen = plain ? { ...frozen, announced: [] } : frozen;
  const visible = { toolsAllowed: true, entries, always: slugsOf(always), loaded: slugsOf(loaded), persona: context.turn.persona ?? null };
  // A skill that was loaded in this very turn is missed as well.
  const now = beginEpoch({ ...seen, pinned: [], history: [] }, { ...visible, entered: enteredBefore(context), withheld: rights.withheld });
  const granted = held.grantedTools;
  Object.assign(context, { entries, withheld: rights.withheld, decisions: rights.visible, warnings: rights.warnings, frozen: now.prefix, grantedTools: granted });
  journal.freeze(now.prefix);

  const closed = without(before, granted).map((tool) => ({ name: tool.name, why: whyWithheld(held, tool) }));
  const opened = without(granted, before).map(({ name }) => name);
  const notice = rightsNotice({ plain, closed, opened, skills: now.notice?.text ?? null });
  // Behind a round come its loads and then the rest; see repair-history.ts of libs/prompt.
  const added = plain ? null : loadedItem(context, enteringSkills(context, { always, loaded }));
  journal.history.push(...(added ? [added] : []), ...(notice ? [notice] : []));
  if (plain || closed.length > 0) publisher.progress({ stage: 'refused', message: 'What this account may use was changed; some of the work may be left undone' });
}

const nothing: Pick<Rights, 'entries' | 'always' | 'loaded'> = { entries: [], always: [], loaded: [] };

const without = <T extends { name: string }>(all: readonly T[], some: readonly T[]): T[] => all.filter(({ name }) => !some.some((other) => other.name === name));
