import { Controller } from '@nestjs/common';
import { setTier } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetTier {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setTier)
  async setTier({ authority, account, tier }: CallParsedInput<typeof setTier>): Promise<CallAnswer<typeof setTier>> {
    const actor = await this.authority.permit(authority, 'set-tier', { account });
    return viewOf((await this.accounts.setTier(account, tier, actor)).facts);
  }
}
