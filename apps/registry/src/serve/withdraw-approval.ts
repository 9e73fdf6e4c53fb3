import { Controller } from '@nestjs/common';
import { withdrawApproval } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ApproveManifest } from '../approve-manifest.js';

@Controller()
export class ServeWithdrawApproval {
  constructor(private readonly manifest: ApproveManifest) {}

  @Serves(withdrawApproval)
  withdrawApproval(asked: CallParsedInput<typeof withdrawApproval>): Promise<CallAnswer<typeof withdrawApproval>> {
    return this.manifest.withdraw(asked);
  }
}
