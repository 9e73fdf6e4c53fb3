import { Controller } from '@nestjs/common';
import { createAccount } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeCreateAccount {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(createAccount)
  async createAccount({ name, tier }: CallParsedInput<typeof createAccount>): Promise<CallAnswer<typeof createAccount>> {
    return viewOf(await this.accounts.create(name, tier));
  }
}
