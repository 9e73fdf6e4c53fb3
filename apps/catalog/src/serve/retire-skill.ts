import { Controller, Inject } from '@nestjs/common';
import { retireSkill } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { retire } from '../govern-versions.js';

@Controller()
export class ServeRetireSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(retireSkill)
  async serve(input: CallParsedInput<typeof retireSkill>): Promise<CallAnswer<typeof retireSkill>> {
    return retire(this.room, input);
  }
}
