import { Controller, Inject } from '@nestjs/common';
import { setChatSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { editChatSkills } from '../edit-chat-skills.js';

@Controller()
export class ServeSetChatSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(setChatSkills)
  async serve(input: CallParsedInput<typeof setChatSkills>): Promise<CallAnswer<typeof setChatSkills>> {
    return editChatSkills(this.room, input);
  }
}
