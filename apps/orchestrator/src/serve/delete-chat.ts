import { Controller, Inject } from '@nestjs/common';
import { deleteChat } from '@skillgate/contracts/calls/chats';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { UserChatsStore } from '../user-chats-store.js';
import { permitOwner } from '../permit-owner.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class DeleteChat {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(UserChatsStore) private readonly chats: UserChatsStore,
  ) {}

  @Serves(deleteChat)
  async handle({ authority, chat }: CallParsedInput<typeof deleteChat>): Promise<CallAnswer<typeof deleteChat>> {
    const { owner, actor } = await permitOwner(this.tickets, authority, 'delete-chat');
    await this.chats.delete(owner, chat, actor);
    return { chat, deleted: true };
  }
}
