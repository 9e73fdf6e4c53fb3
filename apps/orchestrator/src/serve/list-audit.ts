import { Controller, Inject } from '@nestjs/common';
import { listAudit } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { permit } from '@skillgate/gating/permit';
import type { Verifier } from '@skillgate/service-kit/signing';
import { readAudit } from '@skillgate/store/read-audit';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { TICKETS } from '../tickets.js';

@Controller()
export class ListAudit {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  @Serves(listAudit)
  async handle({ authority, ...query }: CallParsedInput<typeof listAudit>): Promise<CallAnswer<typeof listAudit>> {
    const { account } = query;
    await permit((token) => this.tickets.verify(token), authority, account ? 'read-audit' : 'read-platform-audit', { account });
    return readAudit(this.dataSource, 'orchestrator', query);
  }
}
