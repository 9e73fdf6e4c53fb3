import type { Entitlements } from '@skillgate/contracts/entitlements';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Situation } from '@skillgate/gating/skill-facts';
import type { Signer } from '@skillgate/service-kit/signing';
import type { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import type { CheckTicket } from './check-ticket.js';
import type { ServedProfiles } from './served-profiles.js';
import type { ShelfKeeper } from './shelf-keeper.js';
import type { SkillStore } from './skill-store.js';

/** What the use cases of this service work with. */
export interface CatalogRoom {
  store: SkillStore;
  shelf: ShelfKeeper;
  entitlements: EntitlementsProjection;
  served: ServedProfiles;
  signer: Signer;
  checkTicket: CheckTicket;
}

export const ROOM = Symbol('catalog.room');

/** The facts of the moment, on which every decision about this ticket rests, at least as new as ticket and caller know. Refusal: `ticket-invalid`. */
export async function situationOf(
  { entitlements, served }: CatalogRoom,
  ticket: TicketClaims,
  { modelUsesTools, minEpoch = 0 }: { modelUsesTools: boolean; minEpoch?: number },
): Promise<{ situation: Situation; policyEpoch: number }> {
  const [facts, servedProfiles] = await Promise.all([entitlementsOf(entitlements, ticket.account, Math.max(ticket.policyEpoch, minEpoch)), served.current()]);
  const situation: Situation = {
    // Chats and personas have no settings yet: their layers say nothing.
    layers: { turn: ticket.overrides, chat: {}, persona: {}, account: facts.skills },
    locks: facts.locks,
    entitlements: facts,
    servedProfiles,
    modelUsesTools,
  };
  return { situation, policyEpoch: facts.policyEpoch };
}

async function entitlementsOf(entitlements: EntitlementsProjection, account: string, minEpoch: number): Promise<Entitlements> {
  try {
    return await entitlements.of(account, minEpoch);
  } catch (error) {
    if (isRefusal(error)) throw refuse('ticket-invalid', `The ticket's account cannot be decided on: ${error.message}`);
    throw error;
  }
}
