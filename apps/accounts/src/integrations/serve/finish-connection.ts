import { Controller, Inject } from '@nestjs/common';
import { finishConnection as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../../authority.js';
import { finishConnection } from '../finish-connection.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';

@Controller()
export class ServeFinishConnection {
  constructor(
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  /** A browser that comes from the provider shows no key; the state says whose connection it is. */
  @Serves(contract)
  async finish({ authority, ...landed }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    const asker = authority ? await this.authority.permit(authority, 'begin-connection') : undefined;
    return finishConnection(this.room, landed, asker);
  }
}
