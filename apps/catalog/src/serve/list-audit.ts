import { Controller, Inject } from '@nestjs/common';
import { listAudit } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { permit } from '@skillgate/gating/permit';
import { readAudit } from '@skillgate/store/read-audit';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { ROOM, type CatalogRoom } from '../catalog-room.js';

@Controller()
export class ServeListAudit {
  constructor(
    @Inject(ROOM) private readonly room: CatalogRoom,
    private readonly dataSource: DataSource,
  ) {}

  @Serves(listAudit)
  async serve({ authority, ...query }: CallParsedInput<typeof listAudit>): Promise<CallAnswer<typeof listAudit>> {
    const { account } = query;
    await permit(this.room.checkTicket, authority, account ? 'read-audit' : 'read-platform-audit', { account });
    return readAudit(this.dataSource, 'catalog', query);
  }
}
