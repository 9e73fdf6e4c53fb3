import { Controller, Inject } from '@nestjs/common';
import { readVersion } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { versionOf } from '../govern-versions.js';

@Controller()
export class ServeReadVersion {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(readVersion)
  async serve(input: CallParsedInput<typeof readVersion>): Promise<CallAnswer<typeof readVersion>> {
    return versionOf(this.room, input);
  }
}
