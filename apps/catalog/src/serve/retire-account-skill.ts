import { Controller, Inject } from '@nestjs/common';
import { retireAccountSkill } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { retireOwn } from '../author-skills.js';

@Controller()
export class ServeRetireAccountSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(retireAccountSkill)
  async serve(input: CallParsedInput<typeof retireAccountSkill>): Promise<CallAnswer<typeof retireAccountSkill>> {
    return retireOwn(this.room, input);
  }
}
