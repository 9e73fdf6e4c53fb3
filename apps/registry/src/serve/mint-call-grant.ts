import { Controller } from '@nestjs/common';
import { mintCallGrant } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { MintCallGrant } from '../mint-call-grant.js';

@Controller()
export class ServeMintCallGrant {
  constructor(private readonly calls: MintCallGrant) {}

  @Serves(mintCallGrant)
  mintCallGrant(asked: CallParsedInput<typeof mintCallGrant>): Promise<CallAnswer<typeof mintCallGrant>> {
    return this.calls.mint(asked);
  }
}
