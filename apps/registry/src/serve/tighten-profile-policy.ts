import { Controller } from '@nestjs/common';
import { tightenProfilePolicy } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { SetPolicy } from '../set-policy.js';

@Controller()
export class ServeTightenProfilePolicy {
  constructor(private readonly policy: SetPolicy) {}

  @Serves(tightenProfilePolicy)
  tightenProfilePolicy(asked: CallParsedInput<typeof tightenProfilePolicy>): Promise<CallAnswer<typeof tightenProfilePolicy>> {
    return this.policy.forAccount(asked);
  }
}
