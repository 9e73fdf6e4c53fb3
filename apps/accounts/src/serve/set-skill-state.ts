import { Controller } from '@nestjs/common';
import { setSkillState } from '@skillgate/contracts/calls/accounts';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeSetSkillState {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(setSkillState)
  async setSkillState({ account, skill, state }: CallParsedInput<typeof setSkillState>): Promise<Entitlements> {
    const { facts } = await this.accounts.setSkillState(account, skill, state);
    return facts.entitlements;
  }
}
