import { Controller } from '@nestjs/common';
import { listAccounts } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeListAccounts {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(listAccounts)
  async listAccounts({ authority, after, limit }: CallParsedInput<typeof listAccounts>): Promise<CallAnswer<typeof listAccounts>> {
    await this.authority.permit(authority, 'list-accounts');
    return { accounts: (await this.accounts.list(after, limit)).map(viewOf) };
  }
}
