import type { LoadedSkill, prepareTurn, SkillDecision, SkillPin } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { skillSlug } from '@skillgate/contracts/words';
import { resolveSkill } from '@skillgate/gating/resolve';
import type { SkillFacts, Situation } from '@skillgate/gating/skill-facts';
import { standingOf } from '@skillgate/gating/standing';
import { toolsAllowed } from '@skillgate/gating/tools-allowed';
import { requirementsOf } from '@skillgate/gating/requirements-of';
import { alwaysLoad, alwaysWarnings } from './always-load.js';
import { entryOf } from './catalog-entry.js';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { turnOf } from './check-ticket.js';
import { decideShelf } from './decide-shelf.js';
import { withReceipt } from './sign-receipt.js';
import { factsOf, type Shelf, type ShelfSkill } from './shelf.js';
import { refOf, type SkillVersion } from './skill-version.js';

/**
 * All that a turn needs of the catalog. A chat keeps the text that it pinned, unless the skill's update policy gives it the offered one,
 * and loses it when the skill may no longer be used, with the reason. Refusals: `ticket-invalid`, `ticket-expired`.
 */
export async function prepare(room: CatalogRoom, input: CallParsedInput<typeof prepareTurn>): Promise<CallAnswer<typeof prepareTurn>> {
  const ticket = turnOf(await room.checkTicket(input.ticket));
  const [seen, { situation, policyEpoch }] = await Promise.all([room.shelfOf(ticket.account, input.lookAgain), situationOf(room, ticket, input)]);
  const shelf = wouldMove(seen, input) ? await room.shelfOf(ticket.account, true) : seen;
  const pinned = await Promise.all(input.pinned.map((pin) => decidePinned(room, ticket.account, shelf, situation, pin, input.midTurn)));
  const kept = pinned.flatMap(({ version, replaces }) => (version ? [{ version, replaces }] : []));
  const sign = async ({ version, replaces }: Kept): Promise<LoadedSkill> => ({ ...(await withReceipt(room.signer, ticket, version, policyEpoch)), ...(replaces && { replaces }) });

  const entries = [];
  const injected: Kept[] = [];
  const withheld = new Map<string, SkillDecision>();
  const visible: { decision: SkillDecision; version: SkillVersion }[] = [];
  for (const { facts, offered, last, decision: bare } of decideShelf(shelf, situation)) {
    const decision = reasoned(bare, last ?? offered);
    const standing = standingOf(decision);
    if (standing === 'withheld' && mayBeNamed(facts)) withheld.set(facts.slug, decision);
    if (!offered) continue;
    if (standing !== 'withheld') visible.push({ decision, version: offered });
    if (standing === 'listed') entries.push(entryOf(offered));
    if (standing === 'injected' && !kept.some(({ version }) => version.slug === offered.slug)) {
      const shown = input.shown.find(({ slug }) => slug === offered.slug);
      injected.push(shown ? await decideShown(room, ticket.account, shelf, situation, shown, input.midTurn, offered) : { version: offered });
    }
  }
  // The chat's own version may need more than the offered one: its word is the one that concerns this chat.
  for (const { decision, version } of pinned) if (!version) withheld.set(decision.slug, decision);

  const [always, loaded] = await Promise.all([Promise.all(injected.map(sign)), Promise.all(kept.map(sign))]);
  return {
    ...{ toolsAllowed: toolsAllowed(situation), entries, always, loaded, withheld: [...withheld.values()] },
    visible: visible.filter(({ version }) => !version.hidden).map(({ decision }) => decision),
    warnings: alwaysWarnings(alwaysLoad(visible, room.alwaysBudget)),
    policyEpoch,
  };
}

/** For the route: of which version, and for a skill that is withheld each of its requirements. */
function reasoned(decision: SkillDecision, version: SkillVersion | undefined): SkillDecision {
  if (!version) return decision;
  const told = { ...decision, version: version.version };
  return decision.usable ? told : { ...told, requirements: requirementsOf(version.requires, decision) };
}

/** A folder whose name is no slug is on the shelf for operators alone. */
const mayBeNamed = ({ slug, hidden }: SkillFacts): boolean => !hidden && skillSlug.safeParse(slug).success;

/** Before a chat moves, the store is asked: a replica that has not looked for a moment would move it back to what was offered before. */
const wouldMove = (shelf: Shelf, { pinned, shown, lookAgain }: Pick<CallParsedInput<typeof prepareTurn>, 'pinned' | 'shown' | 'lookAgain'>): boolean =>
  !lookAgain &&
  [...pinned, ...shown].some(({ slug, digest }) => {
    const now = shelf.get(slug);
    return now !== undefined && now.updates !== 'pin' && now.offered?.digest !== digest;
  });

interface Kept {
  version: SkillVersion;
  /** `slug@version` that it takes the place of. */
  replaces?: string | undefined;
}

interface Pinned extends Partial<Kept> {
  decision: SkillDecision;
}

/**
 * State and visibility are the skill's as it stands now; what it needs is what the version needs that this chat gets. Without a version the chat
 * loses it.
 */
export async function decidePinned(room: CatalogRoom, account: string, shelf: Shelf, situation: Situation, pin: SkillPin, midTurn: boolean): Promise<Pinned> {
  const now = shelf.get(pin.slug);
  const { pinned, next } = await versionsFor(room, account, now, pin, midTurn);
  const version = next ?? pinned;
  if (!version)
    return {
      decision: resolveSkill({ ...nothing, slug: pin.slug, withdrawn: `${pin.slug}@${pin.version} is not in this catalog` }, situation),
    };
  const facts: SkillFacts = { ...(now?.facts ?? nothing), slug: pin.slug, requires: factsOf(version).requires };
  // A retired text is in order: whoever holds it may go on with it, unless the word is that nobody does.
  const { withdrawn, ...kept } = facts;
  const stays = withdrawn === undefined || (now?.retired !== undefined && now.updates !== 'force');
  const decision = resolveSkill(stays ? kept : { ...kept, withdrawn }, situation);
  if (standingOf(decision) === 'withheld') return { decision };
  return { decision, version, ...(next && { replaces: refOf(pin) }) };
}

/** The text that the chat was shown of an `always` skill stays under the same rule; where it may not be used any more, the offered one is. */
async function decideShown(room: CatalogRoom, account: string, shelf: Shelf, situation: Situation, shown: SkillPin, midTurn: boolean, offered: SkillVersion): Promise<Kept> {
  const { version, replaces } = await decidePinned(room, account, shelf, situation, shown, midTurn);
  return version ? { version, replaces } : { version: offered, replaces: refOf(shown) };
}

/** What the chat holds, and what takes its place by the skill's update policy: a version is taken with its own text or not at all. */
async function versionsFor({ store, accountSkills }: CatalogRoom, account: string, now: ShelfSkill | undefined, pin: SkillPin, midTurn: boolean) {
  const offered = now?.offered;
  if (offered?.digest === pin.digest && offered.version === pin.version) return { pinned: offered };
  const moves = now?.updates === 'force' || (now?.updates === 'next-turn' && !midTurn);
  // Another author's skill of the same name is no newer version of this one.
  const pinned = (await store.pinned(pin)) ?? (await accountSkills.pinned(account, pin));
  return { pinned, next: moves && pinned && offered && pinned.source === offered.source ? offered : undefined };
}

const nothing: Omit<SkillFacts, 'slug'> = {
  hidden: false,
  defaultState: 'never',
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
};
