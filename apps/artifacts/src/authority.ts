import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { isRefusal, refuse } from '@skillgate/contracts/refusal';
import { grantClaims, ticketClaims, type GrantClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import { makeVerifier, type Verifier } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';

/** Whose files are meant, proven by a token. */
export interface Authority {
  account: string;
  user: string;
  chat?: string;
  turn?: string;
}

/** They act for a user's request and show its ticket; everybody else is an executor and shows a grant. */
const ticketCallers: readonly string[] = ['gateway', 'orchestrator', 'catalog'];

export class Authorities {
  private readonly tickets: Verifier<TicketClaims>;
  private readonly grants: Verifier<GrantClaims>;

  constructor(wire: Pick<Wire, 'call'>) {
    this.tickets = makeVerifier({
      issuer: 'gateway',
      typ: 'ticket',
      schema: ticketClaims,
      fetchKeys: () => wire.call(gatewayPublicKeys, {}),
    });
    this.grants = makeVerifier({
      issuer: 'registry',
      typ: 'grant',
      schema: grantClaims,
      fetchKeys: () => wire.call(registryPublicKeys, {}),
    });
  }

  /** `caller` is proven by the broker, so a token is of no use to whom it was not given. Refusal: `bad-authority`. */
  async of(token: string, caller: string | undefined): Promise<Authority> {
    if (!caller) throw new Error('the call came without a proven caller');
    try {
      if (ticketCallers.includes(caller)) return await this.tickets.verify(token);
      const grant = await this.grants.verify(token);
      if (grant.aud === caller) return grant;
    } catch (error) {
      if (isRefusal(error)) throw refuse('bad-authority', error.message);
      throw error;
    }
    throw refuse('bad-authority', `This grant is not for "${caller}". Use the grant of the call that is being served.`);
  }
}
