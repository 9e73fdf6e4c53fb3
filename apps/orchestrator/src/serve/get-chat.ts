import { Controller, Inject } from '@nestjs/common';
import { getChat } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { may } from '@skillgate/gating/may';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { ChatStore, unknownChat } from '../chat-store.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class GetChat {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(ChatStore) private readonly chats: ChatStore,
  ) {}

  @Serves(getChat)
  async handle(input: CallParsedInput<typeof getChat>): Promise<CallAnswer<typeof getChat>> {
    const { account, user, roles = [] } = await this.tickets.verify(input.ticket);
    const asked = input.account ?? account;
    const reaches = may({ account, user, roles }, 'read-turns', { account: asked }) === true;
    if (!reaches && asked !== account) throw unknownChat(input.chat);
    const { id, model, persona, epoch, createdAt } = await this.chats.get(reaches ? { account: asked } : { account, user }, input.chat);
    return { chat: id, model, persona, epoch, createdAt: createdAt.toISOString() };
  }
}
