import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn, getRoute, getTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { turnId } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { mintAuthority, mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { PathPart } from './path-part.js';

const TurnId = () => Param('turn', new PathPart(turnId, 'unknown-turn'));

@ApiTags('Turns')
@Controller('api/v1/turns')
@Allow('use-own')
export class TurnsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Get(':turn')
  @Operation({
    summary: 'How a turn of your own stands and, when it ended, its outcome.',
    description: "Nobody else's: of another user of the account, admins included, it is unknown.",
    answer: getTurn.output,
    refusals: ['unknown-turn'],
  })
  async get(@TurnId() turn: string, @Caller() principal: Principal): Promise<CallOutput<typeof getTurn>> {
    return this.wire.call(getTurn, { ticket: await mintTicket(this.signer, principal), turn });
  }

  @Get(':turn/route')
  @Operation({
    summary: 'Why each tool of a turn ran: task, skill, profile, tool.',
    description: 'Of your own turns. An admin reads the route of every turn of the account, which has nothing of what was said in it.',
    answer: getRoute.output,
    refusals: ['unknown-turn'],
  })
  async route(@TurnId() turn: string, @Caller() principal: Principal): Promise<CallOutput<typeof getRoute>> {
    return this.wire.call(getRoute, { ticket: await mintAuthority(this.signer, principal), turn });
  }

  @Post(':turn/cancel')
  @HttpCode(202)
  @Operation({ summary: 'Asks a running turn to end.', status: 202, answer: cancelTurn.output, refusals: ['unknown-turn'] })
  async cancel(@TurnId() turn: string, @Caller() principal: Principal): Promise<CallOutput<typeof cancelTurn>> {
    return this.wire.call(cancelTurn, { ticket: await mintTicket(this.signer, principal), turn });
  }
}
