import { Controller, Delete, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { deleteTier, listTiers, putTier, tierName, type Principal } from '@skillgate/contracts/calls/accounts';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { limits } from '@skillgate/contracts/entitlements';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

// A misspelt limit would be no limit. The call itself stays open for limits that a later house has.
const tierBody = z.strictObject({ ...putTier.input.omit({ authority: true, name: true }).shape, limits: z.strictObject(limits.shape) });
const Tier = (unknownSlug: string) => Param('tier', new PathPart(tierName, unknownSlug));

@ApiTags('Tiers')
@Controller('api/v1/tiers')
export class TiersController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Get()
  @Allow('list-tiers')
  @Operation({
    summary: 'Every tier: its capabilities, its limits, and how many accounts are on it.',
    answer: listTiers.output,
    refusals: ['not-allowed'],
  })
  async list(@Caller() principal: Principal): Promise<CallOutput<typeof listTiers>> {
    return this.house.read(listTiers, principal, {});
  }

  @Put(':tier')
  @Allow('put-tier')
  @Operation({
    summary: 'Defines a tier, or changes it for every account on it.',
    description:
      'A limit that is null or absent is none. The accounts on the tier are told one by one, `following` within this request; ' +
      'the `behind` ones follow without another.',
    body: tierBody,
    answer: putTier.output,
    refusals: ['not-allowed', 'invalid-name', 'invalid-body'],
  })
  async put(
    @Tier('invalid-name') name: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof putTier>> {
    return this.house.change(putTier, principal, { name, ...(await readJson(request, tierBody, 'invalid-body')) });
  }

  @Delete(':tier')
  @Allow('delete-tier')
  @Operation({
    summary: 'Removes a tier that no account is on.',
    answer: deleteTier.output,
    refusals: ['not-allowed', 'unknown-tier', 'tier-in-use'],
  })
  async remove(@Tier('unknown-tier') name: string, @Caller() principal: Principal): Promise<CallOutput<typeof deleteTier>> {
    return this.house.change(deleteTier, principal, { name });
  }
}
