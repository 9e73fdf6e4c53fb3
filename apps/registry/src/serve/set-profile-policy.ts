import { Controller } from '@nestjs/common';
import { setProfilePolicy } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { SetPolicy } from '../set-policy.js';

@Controller()
export class ServeSetProfilePolicy {
  constructor(private readonly policy: SetPolicy) {}

  @Serves(setProfilePolicy)
  setProfilePolicy(asked: CallParsedInput<typeof setProfilePolicy>): Promise<CallAnswer<typeof setProfilePolicy>> {
    return this.policy.forHouse(asked);
  }
}
