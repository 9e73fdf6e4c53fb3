import { Controller } from '@nestjs/common';
import { approveManifest } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ApproveManifest } from '../approve-manifest.js';

@Controller()
export class ServeApproveManifest {
  constructor(private readonly manifest: ApproveManifest) {}

  @Serves(approveManifest)
  approveManifest(asked: CallParsedInput<typeof approveManifest>): Promise<CallAnswer<typeof approveManifest>> {
    return this.manifest.approve(asked);
  }
}
