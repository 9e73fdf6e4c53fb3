import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { callTool } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { toolName } from '@skillgate/contracts/words';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

const callBody = z.strictObject({ arguments: callTool.input.shape.arguments });

@ApiTags('Executors')
@Controller('api/v1')
export class ToolsController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Post('accounts/:account/tools/:tool/call')
  @HttpCode(200)
  @Allow('call-tool')
  @Operation({
    summary: 'Runs one tool in an account, outside of any chat. It runs for real; what its user has to approve is refused.',
    body: callBody,
    answer: callTool.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-tool', 'tool-withheld', 'tools-not-allowed', 'invalid-body'],
  })
  async call(
    @AccountId() account: string,
    @Param('tool', new PathPart(toolName, 'unknown-tool')) tool: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof callTool>> {
    const { arguments: args } = await readJson(request, callBody, 'invalid-body');
    return this.house.read(callTool, principal, { account, tool, arguments: args });
  }
}
