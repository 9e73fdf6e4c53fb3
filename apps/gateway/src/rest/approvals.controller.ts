import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { approvalId } from '@skillgate/contracts/approval';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { approval, type Approval, decideApproval, getApproval, listApprovals } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Signer } from '@skillgate/service-kit/signing';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson, readOptionalJson } from '../read-json.js';
import { SIGNER } from '../tokens.js';
import { decide } from './decide-approval.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';

const ApprovalId = () => Param('approval', new PathPart(approvalId, 'unknown-approval'));

const asked = z.strictObject({
  status: z.enum(['pending', 'all']).default('pending').describe('`pending`: those that wait for you.'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
const denyBody = z.strictObject({ reason: z.string().max(1_000).optional().describe('The model reads it.') });
const editBody = z.strictObject({ arguments: z.record(z.string(), z.unknown()).describe('All of them, as the call is to be made.') });
const yes = ['unknown-approval', 'approval-decided', 'approval-unattended', 'tool-withheld', 'tools-not-allowed', 'offer-expired'];

/** Nobody decides for another, admins and operators included: a call acts in the name of the user who asked. */
@ApiTags('Approvals')
@Controller('api/v1/approvals')
@Allow('use-own')
export class ApprovalsController {
  constructor(
    @Inject(HouseCalls) private readonly house: HouseCalls,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Get()
  @Operation({
    summary: 'Your calls that wait for your approval, newest first.',
    description: 'Without arguments where all of them together are long: ask for one.',
    query: asked,
    answer: listApprovals.output,
    refusals: ['invalid-query'],
  })
  list(@Query(new QueryParts(asked)) { status, limit }: z.infer<typeof asked>, @Caller() principal: Principal): Promise<CallOutput<typeof listApprovals>> {
    return this.house.read(listApprovals, principal, { pendingOnly: status === 'pending', limit });
  }

  @Get(':approval')
  @Operation({ summary: 'One of your calls, with exactly the arguments that it would be made with.', answer: approval, refusals: ['unknown-approval'] })
  async get(@ApprovalId() id: string, @Caller() principal: Principal): Promise<Approval> {
    return (await this.house.read(getApproval, principal, { approval: id })).approval;
  }

  @Post(':approval/approve')
  @HttpCode(200)
  @Operation({
    summary: 'Allows a call, once and exactly as it stands.',
    description: 'The turn goes on when all of its calls are decided. The call has to be made within five minutes from now.',
    answer: decideApproval.output,
    refusals: yes,
  })
  approve(@ApprovalId() id: string, @Caller() principal: Principal): Promise<CallOutput<typeof decideApproval>> {
    return decide(this.house, this.signer, principal, id, { kind: 'approve' });
  }

  @Post(':approval/edit')
  @HttpCode(200)
  @Operation({
    summary: 'Allows a call with other arguments, once.',
    description: 'The model is told that they were changed, and the route shows both hashes.',
    body: editBody,
    answer: decideApproval.output,
    refusals: [...yes, 'invalid-body', 'invalid-arguments', 'arguments-too-large', 'message-too-large'],
  })
  async edit(@ApprovalId() id: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof decideApproval>> {
    const body = await readJson(request, editBody, 'invalid-body');
    return decide(this.house, this.signer, principal, id, { kind: 'edit', ...body });
  }

  @Post(':approval/deny')
  @HttpCode(200)
  @Operation({
    summary: 'Forbids a call; the turn goes on without it.',
    body: denyBody,
    bodyOptional: true,
    answer: decideApproval.output,
    refusals: ['unknown-approval', 'approval-decided', 'approval-unattended', 'invalid-body'],
  })
  async deny(@ApprovalId() id: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof decideApproval>> {
    const body = await readOptionalJson(request, denyBody, 'invalid-body');
    return decide(this.house, this.signer, principal, id, { kind: 'deny', ...body });
  }
}
