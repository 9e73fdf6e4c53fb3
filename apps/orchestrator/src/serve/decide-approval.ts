import { Controller, Inject } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { decideApproval } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { Wire } from '@skillgate/wire/wire';
import { ApprovalsStore } from '../approvals-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class DecideApproval {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(ApprovalsStore) private readonly approvals: ApprovalsStore,
    @Inject(Wire) private readonly wire: Wire,
  ) {}

  @Serves(decideApproval)
  async handle(input: CallParsedInput<typeof decideApproval>): Promise<CallAnswer<typeof decideApproval>> {
    const actor = await permit((token) => this.tickets.verify(token), input.authority, 'use-own');
    const { account, user, unattended } = await this.tickets.verify(input.authority);
    if (unattended) throw refuse('approval-unattended', 'Nobody is there to decide on this call; a user has to, with a key of their own.');
    const asked = await this.approvals.get({ account, user }, input.approval);
    const ticket = await this.tickets.verify(input.ticket);
    const same = ticket.account === account && ticket.user === user && ticket.turn === asked.approval.turn && ticket.chat === asked.approval.chat;
    if (!same) throw refuse('ticket-invalid', 'This ticket is of another user or turn than the call. Ask the gateway for one that fits.');
    const { traceId, spanId } = trace.getActiveSpan()?.spanContext() ?? {};
    const at = traceId && spanId ? { traceId, spanId } : null;
    const decided = await this.approvals.decide({ account, user, actor, ticket: input.ticket, trace: at }, input.approval, input.decision);
    if (decided.pending === 0) this.wire.tellHandover(1); // somebody takes it up at once, this instance too
    return decided;
  }
}
