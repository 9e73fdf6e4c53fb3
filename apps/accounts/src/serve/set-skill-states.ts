import { Controller } from '@nestjs/common';
import { setSkillStates } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { BulkStatesStore } from '../bulk-states-store.js';

@Controller()
export class ServeSetSkillStates {
  constructor(
    private readonly store: BulkStatesStore,
    private readonly authority: Authority,
  ) {}

  @Serves(setSkillStates)
  async setSkillStates(input: CallParsedInput<typeof setSkillStates>): Promise<CallAnswer<typeof setSkillStates>> {
    const { authority, account, states } = input;
    const actor = await this.authority.permit(authority, 'set-skill-states', { account });
    return (await this.store.setStates(account, states, actor)).facts.entitlements;
  }
}
