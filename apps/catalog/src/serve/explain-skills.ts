import { Controller, Inject } from '@nestjs/common';
import { explainSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { explain } from '../explain-skills.js';

@Controller()
export class ServeExplainSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(explainSkills)
  async serve(input: CallParsedInput<typeof explainSkills>): Promise<CallAnswer<typeof explainSkills>> {
    return explain(this.room, input);
  }
}
