import { type LoadedSkill, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { isRefusal } from '@skillgate/contracts/refusal';
import type { HistoryItem } from '@skillgate/prompt/history';
import { askAgain } from './ask-again.js';
import { shownOf } from './entering-skills.js';
import type { TurnContext } from './turn-context.js';

export type Rights = CallOutput<typeof prepareTurnCall>;

/**
 * What the account may use now: asks the catalog, and the registry where skills are active, and lets `context` hold what is
 * open. Both decide on facts at least as new as this turn has heard of.
 *
 * @param midTurn the turn is running, also elsewhere before this: its texts stay as they are unless the catalog says that they must not
 */
export async function askRights(context: TurnContext, midTurn = context.turn.attempt > 1): Promise<Rights> {
  const rights = await askCatalog(context, context.held.newestEpoch, midTurn);
  const epoch = await openActive(context, rights);
  if (epoch <= rights.policyEpoch) return rights;
  // The registry knows of a change that the catalog had not heard of.
  const newer = await askCatalog(context, epoch, midTurn);
  await openActive(context, newer);
  return newer;
}

function askCatalog({ wire, ticket, entry, pinned, signal, journal, publications }: TurnContext, epoch: number, midTurn: boolean): Promise<Rights> {
  const minEpoch = epoch > 0 ? { minEpoch: epoch } : {};
  const texts = { pinned, shown: shownOf(journal.visible, pinned), midTurn, lookAgain: midTurn || (publications?.lately ?? false) };
  return askAgain(() => wire.call(prepareTurnCall, { ticket, modelUsesTools: entry.usesTools, ...texts, ...minEpoch }, { signal }), signal);
}

/** @returns the policy epoch that the registry decided on, or the catalog's where there was nothing to ask */
async function openActive(context: TurnContext, { toolsAllowed, always, loaded, policyEpoch }: Rights): Promise<number> {
  context.loaded = toolsAllowed ? inOrderOfEntry([...loaded, ...always], context.journal.visible) : [];
  try {
    return (await askAgain(() => context.held.openAll(context.loaded), context.signal)) ?? policyEpoch;
  } catch (error) {
    const epoch = isRefusal(error, 'tools-not-allowed') ? error.details?.policyEpoch : undefined;
    if (typeof epoch !== 'number' || epoch <= policyEpoch) throw error;
    return epoch;
  }
}

const entered = (history: readonly HistoryItem[]) => history.flatMap((item) => (item.kind === 'loaded' ? item.skills : []));

/** Tools open in the order of their skills: in another one than last time, the `tools` array would change. New ones come last. */
function inOrderOfEntry(skills: LoadedSkill[], history: readonly HistoryItem[]): LoadedSkill[] {
  const slugs = entered(history).map(({ slug }) => slug);
  const place = ({ slug }: LoadedSkill) => (slugs.includes(slug) ? slugs.indexOf(slug) : slugs.length);
  return skills.sort((a, b) => place(a) - place(b));
}
