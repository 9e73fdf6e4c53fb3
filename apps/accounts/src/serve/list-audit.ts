import { Controller } from '@nestjs/common';
import { listAudit } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { readAudit } from '@skillgate/store/read-audit';
import { DataSource } from 'typeorm';
import { Authority } from '../authority.js';

@Controller()
export class ServeListAudit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly authority: Authority,
  ) {}

  @Serves(listAudit)
  async listAudit({ authority, ...asked }: CallParsedInput<typeof listAudit>): Promise<CallAnswer<typeof listAudit>> {
    const { account } = asked;
    await this.authority.permit(authority, account ? 'read-audit' : 'read-platform-audit', { account });
    return readAudit(this.dataSource, 'accounts', asked);
  }
}
