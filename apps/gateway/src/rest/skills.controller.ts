import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { explainSkills, listSkills } from '@skillgate/contracts/calls/catalog';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';

@ApiTags('Skills')
@Controller('api/v1/skills')
export class SkillsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Get()
  @Allow('read-own-account')
  @Operation({
    summary: 'Every skill as it stands for the caller: its state, the layer that decided it, and what is missing.',
    answer: explainSkills.output,
  })
  async explain(@Caller() principal: Principal): Promise<CallOutput<typeof explainSkills>> {
    return this.wire.call(explainSkills, { ticket: await mintTicket(this.signer, principal) });
  }

  @Get('all')
  @Allow('list-skills')
  @Operation({
    summary: 'Every skill of the installation, hidden and unusable ones included, with its problems.',
    answer: listSkills.output,
    refusals: ['not-allowed'],
  })
  async all(): Promise<CallOutput<typeof listSkills>> {
    return this.wire.call(listSkills, {});
  }
}
