import { Controller } from '@nestjs/common';
import { getAccount } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeGetAccount {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(getAccount)
  async getAccount({ account }: CallParsedInput<typeof getAccount>): Promise<CallAnswer<typeof getAccount>> {
    return viewOf(await this.accounts.facts(account));
  }
}
