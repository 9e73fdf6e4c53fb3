import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { approveManifest, listManifests, withdrawApproval } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { executorName } from '@skillgate/contracts/words';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';

const manifestsAsked = z.strictObject({ executor: executorName.optional().describe('Only this executor, with the room of the whole answer.') });
const approvalBody = z.strictObject({ tools: approveManifest.input.shape.tools.min(1) });
const withdrawalBody = z.strictObject({ tools: withdrawApproval.input.shape.tools });

@ApiTags('Executors')
@Controller('api/v1')
export class RegistryController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Get('manifests')
  @Allow('list-manifests')
  @Operation({
    summary: 'What each executor announces, against what is approved: changes place by place, tokens, and what models are not shown.',
    description: 'What does not fit one answer is counted in `leftOut` of its executor. What waits for a decision is left out last: ask for that executor alone.',
    query: manifestsAsked,
    answer: listManifests.output,
    refusals: ['not-allowed', 'invalid-query'],
  })
  async manifests(@Query(new QueryParts(manifestsAsked)) query: z.infer<typeof manifestsAsked>): Promise<CallOutput<typeof listManifests>> {
    return this.wire.call(listManifests, query);
  }

  @Post('manifests/:executor/approve')
  @HttpCode(200)
  @Allow('approve-manifest')
  @Operation({
    summary: 'Makes tools of an executor usable, exactly as announced.',
    body: approvalBody,
    answer: approveManifest.output,
    refusals: ['not-allowed', 'unknown-executor', 'manifest-changed', 'unknown-profile', 'tool-quarantined', 'invalid-body'],
  })
  async approve(
    @Param('executor', new PathPart(executorName, 'unknown-executor')) executor: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof approveManifest>> {
    const { tools } = await readJson(request, approvalBody, 'invalid-body');
    const by = `user ${principal.user}${principal.key ? ` with key ${principal.key}` : ''}`;
    return this.house.read(approveManifest, principal, { executor, tools, by });
  }

  @Post('manifests/:executor/withdraw')
  @HttpCode(200)
  @Allow('approve-manifest')
  @Operation({
    summary: 'Takes approvals of an executor back: with the next decision these manifests are usable no more.',
    description: 'Also those of a version that does not run now: it could return.',
    body: withdrawalBody,
    answer: withdrawApproval.output,
    refusals: ['not-allowed', 'not-approved', 'unknown-executor', 'invalid-body'],
  })
  async withdraw(
    @Param('executor', new PathPart(executorName, 'unknown-executor')) executor: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof withdrawApproval>> {
    return this.house.read(withdrawApproval, principal, { executor, ...(await readJson(request, withdrawalBody, 'invalid-body')) });
  }
}
