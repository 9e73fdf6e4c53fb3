import { Controller, Inject } from '@nestjs/common';
import { getUsage } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { noLimits } from '@skillgate/contracts/entitlements';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { TICKETS } from '../tickets.js';
import { TurnStore } from '../turn-store.js';

@Controller()
export class GetUsage {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(TurnStore) private readonly store: TurnStore,
  ) {}

  /** Of the ticket's own account: whoever may ask on its behalf has been decided on by the gateway, and a ticket names no other. */
  @Serves(getUsage)
  async handle(input: CallParsedInput<typeof getUsage>): Promise<CallAnswer<typeof getUsage>> {
    const { account, limits = noLimits } = await this.tickets.verify(input.ticket);
    const { day, resetsAt, turns, tokens, running } = await this.store.usage(account);
    return {
      day,
      resetsAt: resetsAt.toISOString(),
      turns: { used: turns, limit: limits.turnsPerDay },
      tokens: { used: tokens, limit: limits.tokensPerDay },
      parallelTurns: { used: running, limit: limits.parallelTurns },
    };
  }
}
