import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { turnId } from '@skillgate/contracts/words';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../access/access-guard.js';
import { correlationIdOf } from '../identify-request.js';
import { Operation } from '../openapi/operation.js';
import { PathPart } from '../rest/path-part.js';
import { TURN_HOUSE } from '../tokens.js';
import { resumeRequest } from './resume-request.js';
import { resumeTurn } from './resume-turn.js';
import { streamTurn } from './stream-turn.js';
import type { TurnHouse } from './turn-house.js';

const flag = (name: string, description: string) =>
  ApiQuery({ name, required: false, schema: { type: 'string', enum: ['true', 'false'] }, description });

@ApiTags('Turns')
@Controller('api/v1/turns')
@Allow('use-own')
export class TurnStreamController {
  constructor(@Inject(TURN_HOUSE) private readonly house: TurnHouse) {}

  @Get(':turn/stream')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    schema: { type: 'string' },
    description: 'The last id that was received, `<attempt>.<n>` or `<attempt>.end`: what follows it is sent. Absent: all of the turn.',
  })
  @ApiQuery({
    name: 'last_event_id',
    required: false,
    schema: { type: 'string' },
    description: 'The same where no header can be set. The header wins.',
  })
  @flag('progress', 'As `skillgate.progress` of the request: chunks carry `skillgate.progress` and `skillgate.artifact`.')
  @flag('include_usage', 'As `stream_options.include_usage` of the request.')
  @Operation({
    summary: 'The event stream of a turn, from the beginning or from where a client was cut off.',
    description:
      'Chunks and ids as `POST /v1/chat/completions` streams them, from any gateway: live while the turn runs, afterwards out of ' +
      "the stream's memory of some minutes or the journal. A stream that begins with the chunk whose delta has a `role` begins " +
      'anew: its id is unknown, or what it stood for is forgotten; drop what was received before. An error chunk without an id ' +
      'is about the reading: resume from the last id. Leaving this stream does not cancel the turn, unless the client that asked ' +
      'for it has gone as well and nobody reads on in time.',
    events: true,
    refusals: ['unknown-turn', 'invalid-event-id', 'invalid-request'],
  })
  async stream(
    @Param('turn', new PathPart(turnId, 'unknown-turn')) turn: string,
    @Req() request: Request,
    @Res() response: Response,
    @Caller() principal: Principal,
  ): Promise<void> {
    const { from, ...asked } = resumeRequest(request);
    const { chat, model, events, close } = await resumeTurn(this.house, principal, turn, from);
    response.once('close', close);
    if (response.destroyed) close(); // the client left meanwhile
    response.setHeader('x-skillgate-turn', turn);
    response.setHeader('x-skillgate-chat', chat);
    await streamTurn(response, events, {
      ...asked,
      ...{ turn, chat, model },
      correlationId: correlationIdOf(response),
      stallMs: this.house.config.SKILLGATE_STREAM_STALL_MS,
      onError: (error) => this.house.log.error({ err: error, turn }, 'a resumed stream ended with an error'),
    });
  }
}
