import { Controller, Inject } from '@nestjs/common';
import { listSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { list } from '../list-skills.js';

@Controller()
export class ServeListSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(listSkills)
  async serve(): Promise<CallAnswer<typeof listSkills>> {
    return list(this.room);
  }
}
