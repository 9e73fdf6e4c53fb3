import { Controller, Inject } from '@nestjs/common';
import { searchSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { findSkills } from '../find-skills.js';

@Controller()
export class ServeSearchSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(searchSkills)
  async serve(input: CallParsedInput<typeof searchSkills>): Promise<CallAnswer<typeof searchSkills>> {
    return findSkills(this.room, input);
  }
}
