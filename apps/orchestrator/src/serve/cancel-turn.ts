import { Controller, Inject } from '@nestjs/common';
import { cancelTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { ActiveTurns } from '../active-turns.js';
import { cancelledByUser } from '../keep-lease.js';
import { TICKETS } from '../tickets.js';
import { TurnStore } from '../turn-store.js';

@Controller()
export class CancelTurn {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(TurnStore) private readonly store: TurnStore,
    @Inject(ActiveTurns) private readonly turns: ActiveTurns,
  ) {}

  /** Written down first: the turn may run in another instance, which reads it with its next lease. */
  @Serves(cancelTurn)
  async handle(input: CallParsedInput<typeof cancelTurn>): Promise<CallAnswer<typeof cancelTurn>> {
    const { account, user } = await this.tickets.verify(input.ticket);
    if (!(await this.store.requestCancel({ account, user }, input.turn))) return { status: 'already-ended' };
    this.turns.cancel(input.turn, cancelledByUser());
    return { status: 'cancelling' };
  }
}
