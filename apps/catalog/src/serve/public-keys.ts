import { Controller, Inject } from '@nestjs/common';
import { catalogPublicKeys } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';

@Controller()
export class ServePublicKeys {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(catalogPublicKeys)
  async serve(): Promise<CallAnswer<typeof catalogPublicKeys>> {
    return this.room.signer.publicKeys();
  }
}
