import { Controller, Inject } from '@nestjs/common';
import { publishSkills } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { publishPackages } from '../publish-packages.js';

@Controller()
export class ServePublishSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(publishSkills)
  async serve(input: CallParsedInput<typeof publishSkills>): Promise<CallAnswer<typeof publishSkills>> {
    return publishPackages(this.room, input);
  }
}
