import { Injectable } from '@nestjs/common';
import type { Actor } from '@skillgate/contracts/audit';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { ticketClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import type { Action, Target } from '@skillgate/gating/may';
import { permit } from '@skillgate/gating/permit';
import { makeVerifier, type Verifier } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';

/** The gateway decided already; that its word reaches us unchanged is no reason to take it for granted. */
@Injectable()
export class Authority {
  readonly #tickets: Verifier<TicketClaims>;

  constructor(wire: Wire) {
    const fetchKeys = () => wire.call(gatewayPublicKeys, {});
    this.#tickets = makeVerifier({ issuer: 'gateway', typ: 'ticket', schema: ticketClaims, fetchKeys });
  }

  /** Who asks, by a ticket of a turn or of none. Refuses `ticket-invalid` and `ticket-expired`. */
  bearer(ticket: string): Promise<TicketClaims> {
    return this.#tickets.verify(ticket);
  }

  /** Who makes the change. Refuses `authority-missing`, `ticket-invalid`, `ticket-expired` and `not-allowed`. */
  permit(authority: string | undefined, action: Action, target: Target = {}): Promise<Actor> {
    return permit((ticket) => this.#tickets.verify(ticket), authority, action, target);
  }
}
