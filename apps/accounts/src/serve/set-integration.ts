import { Controller, Inject } from '@nestjs/common';
import { setIntegration } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';
import { INTEGRATIONS, requireNames, type IntegrationsRoom } from '../integrations/integrations-room.js';

@Controller()
export class ServeSetIntegration {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(setIntegration)
  async setIntegration(input: CallParsedInput<typeof setIntegration>): Promise<CallAnswer<typeof setIntegration>> {
    const { authority, account, integration, connected } = input;
    const actor = await this.authority.permit(authority, 'set-integration', { account });
    requireNames(this.room, [integration]);
    return viewOf((await this.accounts.setIntegration(account, integration, connected, actor)).facts);
  }
}
