import { Controller } from '@nestjs/common';
import { leaseCredential as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { LeaseCredential } from '../lease-credential.js';

@Controller()
export class ServeLeaseCredential {
  constructor(private readonly leases: LeaseCredential) {}

  @Serves(contract)
  async lease(asked: CallParsedInput<typeof contract>, { caller }: CallContext): Promise<CallAnswer<typeof contract>> {
    return this.leases.lease(asked, caller);
  }
}
