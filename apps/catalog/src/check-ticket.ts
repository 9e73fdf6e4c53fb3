import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { refuse } from '@skillgate/contracts/refusal';
import { ticketClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';

export type CheckTicket = (token: string) => Promise<TicketClaims>;
export type TurnTicket = TicketClaims & { chat: string; turn: string };

/** Refusals: `ticket-invalid`, `ticket-expired`. */
export function ticketCheck(wire: Pick<Wire, 'call'>): CheckTicket {
  const verifier = makeVerifier({
    issuer: 'gateway',
    typ: 'ticket',
    schema: ticketClaims,
    fetchKeys: () => wire.call(gatewayPublicKeys, {}),
  });
  return (token) => verifier.verify(token);
}

/** Skills are loaded for a turn and for nothing else. Refusal: `ticket-invalid`. */
export function turnOf(ticket: TicketClaims): TurnTicket {
  const { chat, turn } = ticket;
  if (chat && turn) return { ...ticket, chat, turn };
  throw refuse('ticket-invalid', 'This ticket names no turn, and skills are loaded for a turn. Ask the gateway for one that does.');
}
