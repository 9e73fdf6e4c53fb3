import { Controller } from '@nestjs/common';
import { setLimits } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetLimits {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setLimits)
  async setLimits({ authority, account, limits }: CallParsedInput<typeof setLimits>): Promise<CallAnswer<typeof setLimits>> {
    const actor = await this.authority.permit(authority, 'set-limits', { account });
    return viewOf((await this.accounts.setLimits(account, limits, actor)).facts);
  }
}
