import type { Entitlements } from '@skillgate/contracts/entitlements';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import type { PersonaRef, TicketClaims } from '@skillgate/contracts/tokens';
import { asPersona } from '@skillgate/gating/as-persona';
import type { Situation } from '@skillgate/gating/skill-facts';
import type { Signer } from '@skillgate/service-kit/signing';
import type { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import type { Wire } from '@skillgate/wire/wire';
import type { AccountSkillStore } from './account-skill-store.js';
import type { ChatSkillsStore } from './chat-skills-store.js';
import type { CheckTicket } from './check-ticket.js';
import type { ServedProfiles } from './served-profiles.js';
import type { PublicationStore } from './publication-store.js';
import type { Shelf } from './shelf.js';
import type { ShelfKeeper } from './shelf-keeper.js';
import type { SkillStore } from './skill-store.js';

/** What the use cases of this service work with. */
export interface CatalogRoom {
  store: SkillStore;
  /** Of the platform alone. */
  shelf: ShelfKeeper;
  /** What an account sees, its own skills included; `again` looks at the store now. */
  shelfOf(account: string, again?: boolean): Promise<Shelf>;
  publication: PublicationStore;
  accountSkills: AccountSkillStore;
  entitlements: EntitlementsProjection;
  served: ServedProfiles;
  signer: Signer;
  checkTicket: CheckTicket;
  chats: ChatSkillsStore;
  ask: Wire['call'];
  /** Outside systems that skills may require. */
  integrations: readonly string[];
  /** Tokens of `always` instructions beyond which people are warned. */
  alwaysBudget: number;
}

export const ROOM = Symbol('catalog.room');

/** From where skills are looked at: a ticket is one. */
export interface Standpoint extends Pick<TicketClaims, 'account' | 'policyEpoch' | 'overrides' | 'chat'> {
  /** With an id: the ticket's own, which must still be there. Without: asked for by whoever wants to know. */
  readonly persona?: PersonaRef | { readonly slug: string; readonly id?: undefined };
  /** Another account than that of who asks. */
  readonly foreign?: boolean;
}

/**
 * The facts of the moment, on which every decision about this ticket rests, at least as new as ticket and caller know. Refusals: `ticket-invalid`;
 * `unknown-account` and `unknown-persona` where the ticket itself does not name them.
 */
export async function situationOf(
  { entitlements, served, chats }: CatalogRoom,
  standpoint: Standpoint,
  { modelUsesTools, minEpoch = 0 }: { modelUsesTools: boolean; minEpoch?: number },
): Promise<{ situation: Situation; policyEpoch: number }> {
  const { account, chat, overrides, persona: wanted } = standpoint;
  const [facts, servedProfiles, chatStates] = await Promise.all([
    entitlementsOf(entitlements, standpoint, Math.max(standpoint.policyEpoch, minEpoch)),
    served.current(),
    chat ? chats.of(account, chat) : {},
  ]);
  const seen = asPersona(facts, wanted);
  if (!seen) throw personaGone(wanted!);
  const situation: Situation = {
    layers: { turn: overrides, chat: chatStates, persona: seen.persona?.skills ?? {}, account: facts.skills },
    locks: facts.locks,
    entitlements: seen.entitlements,
    servedProfiles,
    modelUsesTools,
  };
  return { situation, policyEpoch: facts.policyEpoch };
}

/** A turn goes on as nobody else: without its persona it has no rights at all. */
const personaGone = ({ id, slug }: NonNullable<Standpoint['persona']>): Error =>
  id === undefined
    ? refuse('unknown-persona', `The account has no persona "${slug}". GET /api/v1/personas lists them.`)
    : refuse('ticket-invalid', `The persona "${slug}" was retired meanwhile; choose another model id.`);

async function entitlementsOf(entitlements: EntitlementsProjection, { account, foreign }: Standpoint, minEpoch: number): Promise<Entitlements> {
  try {
    return await entitlements.of(account, minEpoch);
  } catch (error) {
    if (isRefusal(error) && foreign) throw refuse('unknown-account', `There is no account ${account}; check the id.`);
    if (isRefusal(error)) throw refuse('ticket-invalid', `The ticket's account cannot be decided on: ${error.message}`);
    throw error;
  }
}
