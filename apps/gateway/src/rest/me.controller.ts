import { Controller, Delete, Get, Inject, Param, Patch, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { principal as keyPrincipal, setSkillState, setSkillStates, tokenPrincipal, type Principal } from '@skillgate/contracts/calls/accounts';
import { listApiKeys, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import { getUsage } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { entitlements, type Entitlements } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { skillSlug, skillState, skillStateEdit } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { HouseCalls } from './house-calls.js';
import { KeyId } from './keys.controller.js';
import { NamedSkills } from './named-skills.js';
import { PathPart } from './path-part.js';

const stateBody = z.strictObject({ state: skillState });
const changed = entitlements.extend({ warnings: z.array(z.string()) });
const who = z.union([keyPrincipal, tokenPrincipal]);
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));

@ApiTags('Me')
@Controller('api/v1/me')
@Allow('use-own')
export class MeController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
    @Inject(NamedSkills) private readonly named: NamedSkills,
  ) {}

  @Get()
  @Operation({ summary: 'Who the API key or the token stands for, and what the account may use.', answer: who })
  me(@Caller() principal: Principal): Principal {
    return principal;
  }

  @Get('usage')
  @Operation({
    summary: 'What the account has used today, beside its limits.',
    description: 'A day is one of UTC. Beyond a limit the next turn answers 429, with `Retry-After` where waiting helps.',
    answer: getUsage.output,
  })
  async usage(@Caller() principal: Principal): Promise<CallOutput<typeof getUsage>> {
    return this.wire.call(getUsage, { ticket: await mintTicket(this.signer, principal) });
  }

  @Get('keys')
  @Operation({ summary: 'Your own API keys, newest first. Their secrets are nowhere.', answer: listApiKeys.output })
  async keys(@Caller() principal: Principal): Promise<CallOutput<typeof listApiKeys>> {
    const { account, user } = principal;
    return this.house.read(listApiKeys, principal, { account, user });
  }

  @Delete('keys/:key')
  @Operation({ summary: 'Revokes an API key of your own.', answer: revokeApiKey.output, refusals: ['unknown-key', 'last-operator'] })
  async revokeKey(@KeyId() key: string, @Caller() principal: Principal): Promise<CallOutput<typeof revokeApiKey>> {
    // An admin may revoke any key of the account, by its own address; here a mistaken id hits nobody else.
    const { keys } = await this.keys(principal);
    if (!keys.some(({ id }) => id === key)) throw refuse('unknown-key', `You have no key ${key}. GET /api/v1/me/keys lists yours.`);
    return this.house.change(revokeApiKey, principal, { account: principal.account, key });
  }

  @Put('skills/:skill')
  @Allow('set-skill-state')
  @Operation({
    summary: "Sets a skill's state for the whole account.",
    description: 'For admins. A chat, a persona or a turn may still decide otherwise; a lock stands above all of them.',
    body: stateBody,
    answer: changed,
    refusals: ['not-allowed', 'unknown-skill', 'invalid-body'],
  })
  async setSkill(@Skill() skill: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const { state } = await readJson(request, stateBody, 'invalid-body');
    await this.named.require(principal, { [skill]: state });
    return this.warned(principal, await this.house.change(setSkillState, principal, { account: principal.account, skill, state }));
  }

  @Patch('skills')
  @Allow('set-skill-state')
  @Operation({
    summary: "Changes the account's states of many skills at once; null takes one back, what is not named stays.",
    description: 'All of them are changed, or none: unknown skills are refused, each by name.',
    body: skillStateEdit,
    answer: changed,
    refusals: ['not-allowed', 'unknown-skill', 'invalid-body'],
  })
  async editSkills(@Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const states = await readJson(request, skillStateEdit, 'invalid-body');
    await this.named.require(principal, states);
    return this.warned(principal, await this.house.change(setSkillStates, principal, { account: principal.account, states }));
  }

  @Delete('skills/:skill')
  @Allow('set-skill-state')
  @Operation({ summary: "Removes the account's setting for a skill.", answer: entitlements, refusals: ['not-allowed', 'unknown-skill'] })
  async clearSkill(@Skill() skill: string, @Caller() principal: Principal): Promise<Entitlements> {
    return this.house.change(setSkillState, principal, { account: principal.account, skill, state: null });
  }

  private async warned(principal: Principal, facts: Entitlements): Promise<z.infer<typeof changed>> {
    return { ...facts, warnings: await this.named.warnings(principal, facts.account, facts.policyEpoch) };
  }
}
