import { Controller, Inject } from '@nestjs/common';
import { loadSkill } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { load } from '../load-skill.js';

@Controller()
export class ServeLoadSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(loadSkill)
  async serve(input: CallParsedInput<typeof loadSkill>): Promise<CallAnswer<typeof loadSkill>> {
    return load(this.room, input);
  }
}
