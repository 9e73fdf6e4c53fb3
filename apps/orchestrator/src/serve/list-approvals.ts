import { Controller, Inject } from '@nestjs/common';
import { listApprovals } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { ApprovalsStore } from '../approvals-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class ListApprovals {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(ApprovalsStore) private readonly approvals: ApprovalsStore,
  ) {}

  @Serves(listApprovals)
  async handle({ authority, pendingOnly, limit }: CallParsedInput<typeof listApprovals>): Promise<CallAnswer<typeof listApprovals>> {
    await permit((token) => this.tickets.verify(token), authority, 'use-own');
    const { account, user } = await this.tickets.verify(authority);
    return { approvals: await this.approvals.list({ account, user }, pendingOnly, limit) };
  }
}
