import { Controller, Inject } from '@nestjs/common';
import { makeCurrent } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { offerVersion } from '../govern-versions.js';

@Controller()
export class ServeMakeCurrent {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(makeCurrent)
  async serve(input: CallParsedInput<typeof makeCurrent>): Promise<CallAnswer<typeof makeCurrent>> {
    return offerVersion(this.room, input);
  }
}
