import { Controller, Inject } from '@nestjs/common';
import { findChat } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { DataSource } from 'typeorm';
import { recogniseChat } from '../recognise-chat.js';
import { TICKETS } from '../tickets.js';
import { knownTranscripts } from '../transcripts-store.js';

@Controller()
export class FindChat {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  @Serves(findChat)
  async handle({ authority, beginnings }: CallParsedInput<typeof findChat>): Promise<CallAnswer<typeof findChat>> {
    const reader = await this.tickets.verify(authority);
    return recogniseChat(beginnings, await knownTranscripts(this.dataSource, reader, beginnings));
  }
}
