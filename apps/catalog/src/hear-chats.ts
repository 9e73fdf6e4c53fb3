import { Controller, Inject } from '@nestjs/common';
import type { EventPayload } from '@skillgate/contracts/define-event';
import { chatDeleted } from '@skillgate/contracts/events/orchestrator';
import { Hears } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from './catalog-room.js';

/** States of skills in a chat that is gone are nobody's any more. */
@Controller()
export class HearChats {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Hears(chatDeleted)
  async deleted({ account, chat }: EventPayload<typeof chatDeleted>): Promise<void> {
    await this.room.chats.forget(account, chat);
  }
}
