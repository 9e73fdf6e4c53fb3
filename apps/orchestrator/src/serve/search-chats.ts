import { Controller, Inject } from '@nestjs/common';
import { searchChats } from '@skillgate/contracts/calls/chats';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { SearchChats } from '../search-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class ServeSearchChats {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(SearchChats) private readonly chats: SearchChats,
  ) {}

  @Serves(searchChats)
  async handle({ ticket, query, limit }: CallParsedInput<typeof searchChats>): Promise<CallAnswer<typeof searchChats>> {
    return this.chats.search(await this.tickets.verify(ticket), { query, limit });
  }
}
