import { Controller, Inject } from '@nestjs/common';
import { startTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { type AcceptParts, acceptTurn } from '../accept-turn.js';
import { PARTS } from '../parts.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class StartTurn {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(PARTS) private readonly parts: AcceptParts,
  ) {}

  @Serves(startTurn)
  async handle(input: CallParsedInput<typeof startTurn>, { signal }: CallContext): Promise<CallAnswer<typeof startTurn>> {
    return acceptTurn(this.parts, await this.tickets.verify(input.ticket), input, signal);
  }
}
