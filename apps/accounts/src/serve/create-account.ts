import { Controller } from '@nestjs/common';
import { createAccount } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeCreateAccount {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(createAccount)
  async createAccount(input: CallParsedInput<typeof createAccount>): Promise<CallAnswer<typeof createAccount>> {
    const actor = await this.authority.permit(input.authority, 'create-account');
    return viewOf(await this.accounts.create(input.name, input.tier, actor, input.adminName));
  }
}
