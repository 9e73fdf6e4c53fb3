import { Controller, Inject } from '@nestjs/common';
import { renameChat } from '@skillgate/contracts/calls/chats';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { Serves } from '@skillgate/wire/serve';
import type { Verifier } from '@skillgate/service-kit/signing';
import { termsOfText } from '@skillgate/search/passage-terms';
import { UserChatsStore } from '../user-chats-store.js';
import { permitOwner } from '../permit-owner.js';
import { TICKETS } from '../tickets.js';

const mostTerms = 100;

@Controller()
export class RenameChat {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(UserChatsStore) private readonly chats: UserChatsStore,
  ) {}

  @Serves(renameChat)
  async handle({ authority, chat, title }: CallParsedInput<typeof renameChat>): Promise<CallAnswer<typeof renameChat>> {
    const { owner, actor } = await permitOwner(this.tickets, authority, 'rename-chat');
    return this.chats.rename(owner, chat, title, title === null ? [] : termsOfText(title, mostTerms), actor);
  }
}
