import { Controller } from '@nestjs/common';
import { listAudit } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { permit } from '@skillgate/gating/permit';
import { readAudit } from '@skillgate/store/read-audit';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { ShownTokens } from '../shown-tokens.js';

@Controller()
export class ServeListAudit {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly dataSource: DataSource,
  ) {}

  @Serves(listAudit)
  async listAudit({ authority, ...query }: CallParsedInput<typeof listAudit>): Promise<CallAnswer<typeof listAudit>> {
    const { account } = query;
    await permit((token) => this.tokens.anyTicket(token), authority, account ? 'read-audit' : 'read-platform-audit', { account });
    return readAudit(this.dataSource, 'registry', query);
  }
}
