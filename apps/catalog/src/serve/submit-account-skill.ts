import { Controller, Inject } from '@nestjs/common';
import { submitAccountSkill } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { submit } from '../author-skills.js';

@Controller()
export class ServeSubmitAccountSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(submitAccountSkill)
  async serve(input: CallParsedInput<typeof submitAccountSkill>): Promise<CallAnswer<typeof submitAccountSkill>> {
    return submit(this.room, input);
  }
}
