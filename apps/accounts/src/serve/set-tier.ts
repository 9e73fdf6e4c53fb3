import { Controller } from '@nestjs/common';
import { setTier } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeSetTier {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(setTier)
  async setTier({ account, tier }: CallParsedInput<typeof setTier>): Promise<CallAnswer<typeof setTier>> {
    return viewOf((await this.accounts.setTier(account, tier)).facts);
  }
}
