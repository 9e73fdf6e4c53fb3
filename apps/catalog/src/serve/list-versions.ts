import { Controller, Inject } from '@nestjs/common';
import { listVersions } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { versionsOf } from '../govern-versions.js';

@Controller()
export class ServeListVersions {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(listVersions)
  async serve(input: CallParsedInput<typeof listVersions>): Promise<CallAnswer<typeof listVersions>> {
    return versionsOf(this.room, input);
  }
}
