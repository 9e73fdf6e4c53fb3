import { Controller, Inject } from '@nestjs/common';
import { disconnectIntegration as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../../authority.js';
import { disconnectIntegration } from '../disconnect-integration.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';

@Controller()
export class ServeDisconnectIntegration {
  constructor(
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(contract)
  async disconnect({ authority, account, integration }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    const actor = await this.authority.permit(authority, 'disconnect-integration', { account });
    return disconnectIntegration(this.room, { account: account ?? actor.account!, integration }, actor);
  }
}
