import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { ticketClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, type Verifier } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';

/** Nest token of the ticket verifier. */
export const TICKETS = Symbol('orchestrator.tickets');

export const ticketVerifier = (wire: Wire): Verifier<TicketClaims> =>
  makeVerifier({ issuer: 'gateway', typ: 'ticket', schema: ticketClaims, fetchKeys: () => wire.call(gatewayPublicKeys, {}) });
