import { Controller, Inject } from '@nestjs/common';
import { exportChat } from '@skillgate/contracts/calls/chats';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { UserChatsStore } from '../user-chats-store.js';
import { exportTurns } from '../export-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class ExportChat {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(UserChatsStore) private readonly chats: UserChatsStore,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  @Serves(exportChat)
  async handle({ ticket, chat, from }: CallParsedInput<typeof exportChat>): Promise<CallAnswer<typeof exportChat>> {
    const owner = await this.tickets.verify(ticket);
    const about = await this.chats.get(owner, chat);
    return { about, ...(await exportTurns(this.dataSource, owner, chat, from)) };
  }
}
