import { Controller, Inject } from '@nestjs/common';
import { listChats } from '@skillgate/contracts/calls/chats';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { UserChatsStore } from '../user-chats-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class ListChats {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(UserChatsStore) private readonly chats: UserChatsStore,
  ) {}

  @Serves(listChats)
  async handle({ ticket, limit, before }: CallParsedInput<typeof listChats>): Promise<CallAnswer<typeof listChats>> {
    return this.chats.list(await this.tickets.verify(ticket), limit, before);
  }
}
