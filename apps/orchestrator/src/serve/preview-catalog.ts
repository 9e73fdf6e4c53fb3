import { Controller, Inject } from '@nestjs/common';
import { previewCatalog } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import type { AcceptParts } from '../accept-turn.js';
import { ChatStore } from '../chat-store.js';
import { PARTS } from '../parts.js';
import { preview } from '../preview-catalog.js';
import { TICKETS } from '../tickets.js';

@Controller()
export class PreviewCatalog {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(PARTS) private readonly parts: AcceptParts,
    @Inject(ChatStore) private readonly chats: ChatStore,
  ) {}

  @Serves(previewCatalog)
  async handle({ ticket: token, model }: CallParsedInput<typeof previewCatalog>): Promise<CallAnswer<typeof previewCatalog>> {
    return preview(this.parts, this.chats, { token, claims: await this.tickets.verify(token) }, model);
  }
}
