import { Controller, Inject } from '@nestjs/common';
import { listIntegrations as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../../accounts-store.js';
import { Authority } from '../../authority.js';
import { INTEGRATIONS, type IntegrationsRoom } from '../integrations-room.js';
import { listIntegrations } from '../list-integrations.js';

@Controller()
export class ServeListIntegrations {
  constructor(
    private readonly authority: Authority,
    private readonly accounts: AccountsStore,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(contract)
  async list({ authority, account }: CallParsedInput<typeof contract>): Promise<CallAnswer<typeof contract>> {
    const actor = await this.authority.permit(authority, 'list-integrations', { account });
    const whose = account ?? actor.account!;
    await this.accounts.facts(whose); // refuses an account that is not there
    return { integrations: await listIntegrations(this.room, whose) };
  }
}
