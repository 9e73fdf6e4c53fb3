import { Controller } from '@nestjs/common';
import { grantTool } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { GrantTool } from '../grant-tool.js';

@Controller()
export class ServeGrantTool {
  constructor(private readonly calls: GrantTool) {}

  @Serves(grantTool)
  grantTool(asked: CallParsedInput<typeof grantTool>): Promise<CallAnswer<typeof grantTool>> {
    return this.calls.grant(asked);
  }
}
