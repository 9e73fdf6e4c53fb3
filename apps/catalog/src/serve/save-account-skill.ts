import { Controller, Inject } from '@nestjs/common';
import { saveAccountSkill } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { save } from '../author-skills.js';

@Controller()
export class ServeSaveAccountSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(saveAccountSkill)
  async serve(input: CallParsedInput<typeof saveAccountSkill>): Promise<CallAnswer<typeof saveAccountSkill>> {
    return save(this.room, input);
  }
}
