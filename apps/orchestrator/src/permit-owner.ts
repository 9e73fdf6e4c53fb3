import type { Actor } from '@skillgate/contracts/audit';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Action } from '@skillgate/gating/may';
import { permit } from '@skillgate/gating/permit';
import type { Verifier } from '@skillgate/service-kit/signing';
import type { ChatOwner } from './user-chats-store.js';

/** Who changes something of their own, by the authority that came with it. Refusals: those of `permit`. */
export async function permitOwner(tickets: Verifier<TicketClaims>, authority: string | undefined, action: Action): Promise<{ owner: ChatOwner; actor: Actor }> {
  const actor = await permit((token) => tickets.verify(token), authority, action);
  return { owner: { account: actor.account!, user: actor.user! }, actor };
}
