import { Controller, Inject } from '@nestjs/common';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import type { Signer } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { SIGNER } from '../inject.js';

@Controller()
export class ServePublicKeys {
  constructor(@Inject(SIGNER) private readonly signer: Signer) {}

  @Serves(registryPublicKeys)
  async publicKeys(): Promise<PublicKeys> {
    return this.signer.publicKeys();
  }
}
