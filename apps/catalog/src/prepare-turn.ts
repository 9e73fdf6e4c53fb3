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
import { withReceipt } from './sign-receipt.js';
import { factsOf, type Shelf } from './shelf.js';
import type { SkillVersion } from './skill-version.js';

/**
 * All that a turn needs of the catalog. A chat keeps the text that it pinned, also when a newer version is offered, and
 * loses it when the skill may no longer be used, with the reason. Refusals: `ticket-invalid`, `ticket-expired`.
 */
export async function prepare(room: CatalogRoom, input: CallParsedInput<typeof prepareTurn>): Promise<CallAnswer<typeof prepareTurn>> {
  const ticket = turnOf(await room.checkTicket(input.ticket));
  const [shelf, { situation, policyEpoch }] = await Promise.all([room.shelf.current(), situationOf(room, ticket, input)]);
  const pinned = await Promise.all(input.pinned.map((pin) => decidePinned(room, shelf, situation, pin)));
  const kept = pinned.flatMap(({ version }) => (version ? [version] : []));
  const sign = (version: SkillVersion): Promise<LoadedSkill> => withReceipt(room.signer, ticket, version, policyEpoch);

  const entries = [];
  const injected: SkillVersion[] = [];
  const withheld = new Map<string, SkillDecision>();
  const visible: { decision: SkillDecision; version: SkillVersion }[] = [];
  for (const { facts, offered, last } of shelf.values()) {
    const decision = reasoned(resolveSkill(facts, situation), last ?? offered);
    const standing = standingOf(decision);
    if (standing === 'withheld' && mayBeNamed(facts)) withheld.set(facts.slug, decision);
    if (!offered) continue;
    if (standing !== 'withheld') visible.push({ decision, version: offered });
    if (standing === 'listed') entries.push(entryOf(offered));
    if (standing === 'injected' && !kept.some(({ slug }) => slug === offered.slug)) injected.push(offered);
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

interface Pinned {
  decision: SkillDecision;
  /** Absent when the chat loses it. */
  version?: SkillVersion;
}

/** State and visibility are the skill's as it stands now; what it needs is what the pinned version needs. */
async function decidePinned({ store }: CatalogRoom, shelf: Shelf, situation: Situation, pin: SkillPin): Promise<Pinned> {
  const now = shelf.get(pin.slug);
  const version = now?.offered?.digest === pin.digest && now.offered.version === pin.version ? now.offered : await store.pinned(pin);
  if (!version)
    return {
      decision: resolveSkill({ ...nothing, slug: pin.slug, problems: [`${pin.slug}@${pin.version} is not in this catalog`] }, situation),
    };
  const { requires } = factsOf(version);
  const decision = resolveSkill({ ...(now?.facts ?? nothing), slug: pin.slug, requires }, situation);
  return standingOf(decision) === 'withheld' ? { decision } : { decision, version };
}

const nothing: Omit<SkillFacts, 'slug'> = {
  hidden: false,
  defaultState: 'never',
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
};
