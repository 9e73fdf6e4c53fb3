import { Controller, Inject } from '@nestjs/common';
import { beginConnection as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../../authority.js';
import { beginConnection } from '../begin-connection.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';

@Controller()
export class ServeBeginConnection {
  constructor(
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(contract)
  async begin({ authority, ...asked }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    return beginConnection(this.room, asked, await this.authority.permit(authority, 'begin-connection'));
  }
}
