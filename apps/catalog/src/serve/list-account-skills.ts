import { Controller, Inject } from '@nestjs/common';
import { listAccountSkills } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { listOwn } from '../author-skills.js';

@Controller()
export class ServeListAccountSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(listAccountSkills)
  async serve(input: CallParsedInput<typeof listAccountSkills>): Promise<CallAnswer<typeof listAccountSkills>> {
    return listOwn(this.room, input);
  }
}
