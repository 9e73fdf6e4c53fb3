import { Controller, Inject } from '@nestjs/common';
import { rotateCredentials as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { Authority } from '../../authority.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';
import { rotateCredentials } from '../rotate-credentials.js';

@Controller()
export class ServeRotateCredentials {
  constructor(
    private readonly authority: Authority,
    private readonly dataSource: DataSource,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(contract)
  async rotate({ authority, ...asked }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    return rotateCredentials(this.room, this.dataSource, asked, await this.authority.permit(authority, 'rotate-credentials'));
  }
}
