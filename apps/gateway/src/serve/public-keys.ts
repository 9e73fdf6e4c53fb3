import { Controller, Inject } from '@nestjs/common';
import { gatewayPublicKeys } from '@skillgate/contracts/calls/gateway';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { Signer } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { SIGNER } from '../tokens.js';

@Controller()
export class ServePublicKeys {
  constructor(@Inject(SIGNER) private readonly signer: Signer) {}

  @Serves(gatewayPublicKeys)
  async publicKeys(): Promise<CallAnswer<typeof gatewayPublicKeys>> {
    return this.signer.publicKeys();
  }
}
