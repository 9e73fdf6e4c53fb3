import { Controller } from '@nestjs/common';
import { setSkillLock } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetSkillLock {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setSkillLock)
  async setSkillLock(input: CallParsedInput<typeof setSkillLock>): Promise<CallAnswer<typeof setSkillLock>> {
    const { authority, account, skill, by, state } = input;
    const actor = await this.authority.permit(authority, `set-${by}-lock`, { account });
    return (await this.accounts.setSkillLock(account, skill, by, state, actor)).facts.entitlements;
  }
}
