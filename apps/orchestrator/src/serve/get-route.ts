import { Controller, Inject } from '@nestjs/common';
import { getRoute } from '@skillgate/contracts/calls/orchestrator';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { may } from '@skillgate/gating/may';
import type { Verifier } from '@skillgate/service-kit/signing';
import { Serves } from '@skillgate/wire/serve';
import { buildRoute } from '../build-route.js';
import { TICKETS } from '../tickets.js';
import { TurnStore } from '../turn-store.js';

@Controller()
export class GetRoute {
  constructor(
    @Inject(TICKETS) private readonly tickets: Verifier<TicketClaims>,
    @Inject(TurnStore) private readonly store: TurnStore,
  ) {}

  @Serves(getRoute)
  async handle(input: CallParsedInput<typeof getRoute>): Promise<CallAnswer<typeof getRoute>> {
    const { account, user, roles = [] } = await this.tickets.verify(input.ticket);
    // An admin answers for what tools do in the account's name: the route of any turn, which has no word of what was said.
    const reader = may({ account, user, roles }, 'read-turns', { account }) === true ? { account } : { account, user };
    const { turn, steps } = await this.store.getWithSteps(reader, input.turn);
    return buildRoute(turn, steps);
  }
}
