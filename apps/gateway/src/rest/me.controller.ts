import { Controller, Delete, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { principal as principalSchema, setSkillState, type Principal } from '@skillgate/contracts/calls/accounts';
import { explainSkills } from '@skillgate/contracts/calls/catalog';
import { entitlements, type Entitlements } from '@skillgate/contracts/entitlements';
import { skillSlug, skillState } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Authenticator } from '../access/authenticate.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { PathPart } from './path-part.js';

const stateBody = z.strictObject({ state: skillState });
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));

@ApiTags('Me')
@Controller('api/v1/me')
@Allow('user')
export class MeController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  @Get()
  @Operation({ summary: 'Who the API key stands for.', answer: principalSchema })
  me(@Caller() principal: Principal): Principal {
    return principal;
  }

  @Put('skills/:skill')
  @Operation({
    summary: "Sets a skill's state for the whole account.",
    description: 'A chat, a persona or a turn may still decide otherwise; a lock stands above all of them.',
    body: stateBody,
    answer: entitlements,
    refusals: ['unknown-skill', 'invalid-body'],
  })
  async setSkill(@Skill() skill: string, @Req() request: Request, @Caller() principal: Principal): Promise<Entitlements> {
    const { state } = await readJson(request, stateBody, 'invalid-body');
    // A setting for a skill that is not there would be accepted and never do anything.
    await this.wire.call(explainSkills, { ticket: await mintTicket(this.signer, principal), skill });
    return this.store(principal, skill, state);
  }

  @Delete('skills/:skill')
  @Operation({ summary: "Removes the account's setting for a skill.", answer: entitlements, refusals: ['unknown-skill'] })
  async clearSkill(@Skill() skill: string, @Caller() principal: Principal): Promise<Entitlements> {
    return this.store(principal, skill, null);
  }

  private async store({ account }: Principal, skill: string, state: z.infer<typeof skillState> | null): Promise<Entitlements> {
    const changed = await this.wire.call(setSkillState, { account, skill, state });
    this.authenticator.forget();
    return changed;
  }
}
