import { Injectable } from '@nestjs/common';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { isHouseError, refuse } from '@skillgate/contracts/refusal';
import { receiptClaims, ticketClaims, type ReceiptClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, type Verifier } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { isTurnTicket, type TurnTicket } from './grant-claims.js';

/** The ticket and the receipts that a caller shows, believed only after their issuers' signatures. */
@Injectable()
export class ShownTokens {
  readonly #tickets: Verifier<TurnTicket | Omit<TurnTicket, 'chat' | 'turn'>>;
  readonly #receipts: Verifier<ReceiptClaims>;

  constructor(wire: Wire) {
    this.#tickets = makeVerifier({ issuer: 'gateway', typ: 'ticket', schema: ticketClaims, fetchKeys: () => wire.call(gatewayPublicKeys, {}) });
    this.#receipts = makeVerifier({ issuer: 'catalog', typ: 'receipt', schema: receiptClaims, fetchKeys: () => wire.call(catalogPublicKeys, {}) });
  }

  /** Refuses `bad-ticket`. */
  async ticket(token: string): Promise<TurnTicket> {
    const ticket = await believe(this.#tickets.verify(token), 'bad-ticket');
    if (!isTurnTicket(ticket)) throw refuse('bad-ticket', 'This ticket is for no turn; ask the gateway for one that names chat and turn.');
    return ticket;
  }

  /** In the order given. Refuses `bad-receipt`, and `foreign-receipt` for one of another ticket. */
  async receipts(tokens: readonly string[], ticket: TurnTicket): Promise<ReceiptClaims[]> {
    const receipts = await Promise.all(tokens.map((token) => believe(this.#receipts.verify(token), 'bad-receipt')));
    for (const receipt of receipts) {
      const [what] = foreignParts(receipt, ticket);
      if (!what) continue;
      throw refuse('foreign-receipt', `The receipt of "${receipt.skill}" is of another ${what} than the ticket; load the skill in this turn.`);
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

/** A verdict becomes this call's refusal; an issuer that could not be asked stays what it is. */
async function believe<T>(verdict: Promise<T>, slug: string): Promise<T> {
  try {
    return await verdict;
  } catch (error) {
    throw isHouseError(error) && error.kind === 'refusal' ? refuse(slug, error.message) : error;
  }
}
