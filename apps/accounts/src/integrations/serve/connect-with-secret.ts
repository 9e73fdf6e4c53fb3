import { Controller, Inject } from '@nestjs/common';
import { connectWithSecret as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../../authority.js';
import { connectWithSecret } from '../connect-with-secret.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';

@Controller()
export class ServeConnectWithSecret {
  constructor(
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(contract)
  async connect({ authority, account, ...asked }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    const actor = await this.authority.permit(authority, 'connect-with-secret', { account });
    return connectWithSecret(this.room, { account: account ?? actor.account!, ...asked }, actor);
  }
}
