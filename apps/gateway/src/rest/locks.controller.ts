import { Controller, Delete, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { setSkillLock, type Principal } from '@skillgate/contracts/calls/accounts';
import { entitlements, type Entitlements } from '@skillgate/contracts/entitlements';
import { skillSlug, skillState } from '@skillgate/contracts/words';
import { holds } from '@skillgate/gating/may';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

const lockState = skillState.exclude(['available']);
const lockBody = z.strictObject({ state: lockState });
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));

@ApiTags('Accounts')
@Controller('api/v1/accounts/:account/locks')
@Allow('set-admin-lock')
export class LocksController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Put(':skill')
  @Operation({
    summary: "Binds a skill's state for every scope of an account.",
    description: "An operator's lock stands above an admin's, and alone reaches hidden skills.",
    body: lockBody,
    answer: entitlements,
    refusals: ['not-allowed', 'unknown-account', 'unknown-skill', 'invalid-body'],
  })
  async lock(
    @AccountId() account: string,
    @Skill() skill: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<Entitlements> {
    const { state } = await readJson(request, lockBody, 'invalid-body');
    return this.store(account, skill, principal, state);
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
    const by = holds(principal.roles, 'operator') ? 'operator' : 'admin';
    return this.house.change(setSkillLock, principal, { account, skill, by, state });
  }
}
