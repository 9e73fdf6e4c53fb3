import { Controller, Inject } from '@nestjs/common';
import type { EventPayload } from '@skillgate/contracts/define-event';
import { chatDeleted } from '@skillgate/contracts/events/orchestrator';
import { Hears } from '@skillgate/wire/serve';
import { forgetChat } from './forget-chat.js';
import { ROOM, type Room } from './room.js';

@Controller()
export class HearChats {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Hears(chatDeleted)
  async deleted(chat: EventPayload<typeof chatDeleted>): Promise<void> {
    await forgetChat(this.room, chat);
  }
}
