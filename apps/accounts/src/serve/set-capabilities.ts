import { Controller } from '@nestjs/common';
import { setCapabilities } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { viewOf } from '../account-facts.js';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetCapabilities {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setCapabilities)
  async setCapabilities(input: CallParsedInput<typeof setCapabilities>): Promise<CallAnswer<typeof setCapabilities>> {
    const { authority, account, capabilities } = input;
    const actor = await this.authority.permit(authority, 'set-capabilities', { account });
    return viewOf((await this.accounts.setCapabilities(account, capabilities, actor)).facts);
  }
}
