import { Controller, Inject } from '@nestjs/common';
import { readSkillFile } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { readFileOf } from '../read-skill-file.js';

@Controller()
export class ServeReadSkillFile {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(readSkillFile)
  async serve(input: CallParsedInput<typeof readSkillFile>): Promise<CallAnswer<typeof readSkillFile>> {
    return readFileOf(this.room, input);
  }
}
