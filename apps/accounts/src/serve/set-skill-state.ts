import { Controller } from '@nestjs/common';
import { setSkillState } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../accounts-store.js';
import { Authority } from '../authority.js';

@Controller()
export class ServeSetSkillState {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setSkillState)
  async setSkillState(input: CallParsedInput<typeof setSkillState>): Promise<CallAnswer<typeof setSkillState>> {
    const { authority, account, skill, state } = input;
    const actor = await this.authority.permit(authority, 'set-skill-state', { account });
    return (await this.accounts.setSkillState(account, skill, state, actor)).facts.entitlements;
  }
}
