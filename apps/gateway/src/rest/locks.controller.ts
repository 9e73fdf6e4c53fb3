import { Controller, Delete, Inject, Param, Patch, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { setSkillLock, setSkillLocks, type Principal } from '@skillgate/contracts/calls/accounts';
import { entitlements, type Entitlements } from '@skillgate/contracts/entitlements';
import { skillSlug, skillState } from '@skillgate/contracts/words';
import { holds } from '@skillgate/gating/may';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { NamedSkills } from './named-skills.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

const lockState = skillState.exclude(['available']);
const lockBody = z.strictObject({ state: lockState });
const locksBody = z.record(skillSlug, lockState.nullable());
const changed = entitlements.extend({ warnings: z.array(z.string()) });
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));

@ApiTags('Accounts')
@Controller('api/v1/accounts/:account/locks')
@Allow('set-admin-lock')
export class LocksController {
  constructor(
    @Inject(HouseCalls) private readonly house: HouseCalls,
    @Inject(NamedSkills) private readonly named: NamedSkills,
  ) {}

  @Patch()
  @Operation({
    summary: "Changes many locks of the caller's kind at once; null removes one, what is not named stays.",
    description: 'All of them are changed, or none: unknown skills are refused, each by name. Hidden ones are an operator\'s to lock.',
    body: locksBody,
    answer: changed,
    refusals: ['not-allowed', 'unknown-account', 'unknown-skill', 'invalid-body'],
  })
  async edit(@AccountId() account: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    const locks = await readJson(request, locksBody, 'invalid-body');
    await this.named.require(principal, locks, { hidden: true });
    return this.warned(principal, await this.house.change(setSkillLocks, principal, { account, by: kindOf(principal), locks }));
  }

  @Put(':skill')
  @Operation({
    summary: "Binds a skill's state for every scope of an account.",
    description: "An operator's lock stands above an admin's, and alone reaches hidden skills.",
    body: lockBody,
    answer: changed,
    refusals: ['not-allowed', 'unknown-account', 'unknown-skill', 'invalid-body'],
  })
  async lock(
    @AccountId() account: string,
    @Skill() skill: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<z.infer<typeof changed>> {
    const { state } = await readJson(request, lockBody, 'invalid-body');
    await this.named.require(principal, { [skill]: state }, { hidden: true });
    return this.warned(principal, await this.store(account, skill, principal, state));
  }

  @Delete(':skill')
  @Operation({
    summary: "Removes the caller's kind of lock.",
    answer: entitlements,
    refusals: ['not-allowed', 'unknown-account', 'unknown-skill'],
  })
  async unlock(@AccountId() account: string, @Skill() skill: string, @Caller() principal: Principal): Promise<Entitlements> {
    return this.store(account, skill, principal, null);
  }

  private store(account: string, skill: string, principal: Principal, state: z.infer<typeof lockState> | null): Promise<Entitlements> {
    return this.house.change(setSkillLock, principal, { account, skill, by: kindOf(principal), state });
  }

  private async warned(principal: Principal, facts: Entitlements): Promise<z.infer<typeof changed>> {
    return { ...facts, warnings: await this.named.warnings(principal, facts.account, facts.policyEpoch) };
  }
}

const kindOf = ({ roles }: Principal): 'operator' | 'admin' => (holds(roles, 'operator') ? 'operator' : 'admin');
