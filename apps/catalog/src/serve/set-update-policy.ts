import { Controller, Inject } from '@nestjs/common';
import { setUpdatePolicy } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { sayUpdatePolicy } from '../govern-versions.js';

@Controller()
export class ServeSetUpdatePolicy {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(setUpdatePolicy)
  async serve(input: CallParsedInput<typeof setUpdatePolicy>): Promise<CallAnswer<typeof setUpdatePolicy>> {
    return sayUpdatePolicy(this.room, input);
  }
}
