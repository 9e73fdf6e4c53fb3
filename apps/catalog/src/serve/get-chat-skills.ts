import { Controller, Inject } from '@nestjs/common';
import { getChatSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { readChatSkills } from '../edit-chat-skills.js';

@Controller()
export class ServeGetChatSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(getChatSkills)
  async serve(input: CallParsedInput<typeof getChatSkills>): Promise<CallAnswer<typeof getChatSkills>> {
    return readChatSkills(this.room, input);
  }
}
