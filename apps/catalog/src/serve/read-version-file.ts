import { Controller, Inject } from '@nestjs/common';
import { readVersionFile } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { fileOf } from '../govern-versions.js';

@Controller()
export class ServeReadVersionFile {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(readVersionFile)
  async serve(input: CallParsedInput<typeof readVersionFile>): Promise<CallAnswer<typeof readVersionFile>> {
    return fileOf(this.room, input);
  }
}
