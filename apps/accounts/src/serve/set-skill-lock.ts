import { Controller } from '@nestjs/common';
import { setSkillLock } from '@skillgate/contracts/calls/accounts';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeSetSkillLock {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(setSkillLock)
  async setSkillLock({ account, skill, by, state }: CallParsedInput<typeof setSkillLock>): Promise<Entitlements> {
    const { facts } = await this.accounts.setSkillLock(account, skill, by, state);
    return facts.entitlements;
  }
}
