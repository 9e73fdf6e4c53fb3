import { randomUUID } from 'node:crypto';
import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { callTool } from '@skillgate/contracts/calls/orchestrator';
import { grantTool } from '@skillgate/contracts/calls/registry';
import { executorName, jsonSchema, toolEffect, toolName, turnId } from '@skillgate/contracts/words';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

const callBody = z.strictObject({ arguments: jsonSchema });
const callAnswer = callTool.output.extend({
  executor: executorName,
  effect: toolEffect,
  callId: z.string(),
  turn: turnId,
  /** `jti` of the grant, as the audit log and the executor's span have it. */
  grant: z.string(),
});

@ApiTags('Executors')
@Controller('api/v1')
export class ToolsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Post('accounts/:account/tools/:tool/call')
  @HttpCode(200)
  @Allow('call-tool')
  @Operation({
    summary: 'Runs one tool in an account, outside of any chat. It runs for real; what its user has to approve is refused.',
    body: callBody,
    answer: callAnswer,
    refusals: ['not-allowed', 'unknown-account', 'unknown-tool', 'tool-withheld', 'tools-not-allowed', 'invalid-body'],
  })
  async call(
    @AccountId() account: string,
    @Param('tool', new PathPart(toolName, 'unknown-tool')) tool: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<z.output<typeof callAnswer>> {
    const { arguments: args } = await readJson(request, callBody, 'invalid-body');
    const [turn, chat, callId] = [randomUUID(), randomUUID(), randomUUID()];
    const asked = { account, tool, turn, chat, callId, argumentsHash: argumentsHash(args) };
    const { grant, tool: ownName, effect, timeoutMs } = await this.house.read(grantTool, principal, asked);
    const { ms, outcome } = await this.wire.call(callTool, { grant, tool: ownName, arguments: args, callId, turn, timeoutMs });
    return { executor: grant.executor, effect, callId, turn, grant: grant.id, ms, outcome };
  }
}
