import { Injectable } from '@nestjs/common';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { refuse } from '@skillgate/contracts/refusal';
import { receiptClaims, ticketClaims, type ReceiptClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, type Verifier } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { isTurnTicket, type TurnTicket } from './grant-claims.js';

/** The ticket and the receipts that a caller shows, believed only after their issuers' signatures. */
@Injectable()
export class ShownTokens {
  readonly #tickets: Verifier<TicketClaims>;
  readonly #receipts: Verifier<ReceiptClaims>;

  constructor(wire: Wire) {
    const [gatewayKeys, catalogKeys] = [() => wire.call(gatewayPublicKeys, {}), () => wire.call(catalogPublicKeys, {})];
    this.#tickets = makeVerifier({ issuer: 'gateway', typ: 'ticket', schema: ticketClaims, fetchKeys: gatewayKeys });
    this.#receipts = makeVerifier({ issuer: 'catalog', typ: 'receipt', schema: receiptClaims, fetchKeys: catalogKeys });
  }

  /** Of a turn or of none. Refuses `ticket-invalid` and `ticket-expired`. */
  anyTicket(token: string): Promise<TicketClaims> {
    return this.#tickets.verify(token);
  }

  /** Of a turn. Refuses `ticket-invalid` and `ticket-expired`. */
  async ticket(token: string): Promise<TurnTicket> {
    const ticket = await this.#tickets.verify(token);
    if (!isTurnTicket(ticket)) throw refuse('ticket-invalid', 'This ticket is for no turn; show one that names chat and turn.');
    return ticket;
  }

  /** In the order given. Refuses `receipt-invalid`, `receipt-expired`, and `foreign-receipt` for one of another ticket. */
  async receipts(tokens: readonly string[], ticket: TurnTicket): Promise<ReceiptClaims[]> {
    const receipts = await Promise.all(tokens.map((token) => this.#receipts.verify(token)));
    for (const receipt of receipts) {
      const [what] = foreignParts(receipt, ticket);
      if (!what) continue;
      throw refuse('foreign-receipt', `The receipt of "${receipt.skill}" is of another ${what}; load the skill in this turn.`);
    }
    return receipts;
  }
}

/** In what a receipt and a ticket do not belong together; empty when they do. */
export function foreignParts(receipt: ReceiptClaims, ticket: TurnTicket): string[] {
  return [
    receipt.account === ticket.account ? [] : 'account',
    receipt.chat === ticket.chat ? [] : 'chat',
    receipt.turn === ticket.turn ? [] : 'turn',
    receipt.ticket === ticket.jti ? [] : 'ticket',
  ].flat();
}
