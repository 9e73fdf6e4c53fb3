import { Controller } from '@nestjs/common';
import { setSkillLocks } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { BulkStatesStore } from '../bulk-states-store.js';

@Controller()
export class ServeSetSkillLocks {
  constructor(
    private readonly store: BulkStatesStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setSkillLocks)
  async setSkillLocks(input: CallParsedInput<typeof setSkillLocks>): Promise<CallAnswer<typeof setSkillLocks>> {
    const { authority, account, by, locks } = input;
    const actor = await this.authority.permit(authority, `set-${by}-lock`, { account });
    return (await this.store.setLocks(account, by, locks, actor)).facts.entitlements;
  }
}
