import { Controller, Inject } from '@nestjs/common';
import { getTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { ApprovalsStore } from '../approvals-store.js';
import { TICKETS } from '../tickets.js';
import { TurnStore } from '../turn-store.js';

@Controller()
export class GetTurn {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(TurnStore) private readonly store: TurnStore,
    @Inject(ApprovalsStore) private readonly approvals: ApprovalsStore,
  ) {}

  @Serves(getTurn)
  async handle(input: CallParsedInput<typeof getTurn>): Promise<CallAnswer<typeof getTurn>> {
    const { account, user } = await this.tickets.verify(input.ticket);
    const { id, chat, model, status, outcome } = await this.store.get({ account, user }, input.turn);
    if (status !== 'waiting') return { turn: id, chat, model, status, outcome };
    const waiting = await this.approvals.waiting(account, id);
    return { turn: id, chat, model, status: 'running', outcome, ...(waiting && { waiting }) };
  }
}
