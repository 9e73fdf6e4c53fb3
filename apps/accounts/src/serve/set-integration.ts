import { Controller } from '@nestjs/common';
import { setIntegration } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { integrationNames, isIntegrationName } from '@skillgate/contracts/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetIntegration {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setIntegration)
  async setIntegration(input: CallParsedInput<typeof setIntegration>): Promise<CallAnswer<typeof setIntegration>> {
    const { authority, account, integration, connected } = input;
    const actor = await this.authority.permit(authority, 'set-integration', { account });
    if (!isIntegrationName(integration)) {
      throw refuse('unknown-integration', `There is no integration "${integration}"; choose one of ${integrationNames.join(', ')}.`);
    }
    return viewOf((await this.accounts.setIntegration(account, integration, connected, actor)).facts);
  }
}
