import { Controller } from '@nestjs/common';
import { setIntegration } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { integrationNames, isIntegrationName } from '@skillgate/contracts/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeSetIntegration {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(setIntegration)
  async setIntegration(input: CallParsedInput<typeof setIntegration>): Promise<CallAnswer<typeof setIntegration>> {
    const { account, integration, connected } = input;
    if (!isIntegrationName(integration)) {
      throw refuse('unknown-integration', `There is no integration "${integration}"; choose one of ${integrationNames.join(', ')}.`);
    }
    return viewOf((await this.accounts.setIntegration(account, integration, connected)).facts);
  }
}
