import { Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { approveManifest, listManifests, listProfiles } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { executorName } from '@skillgate/contracts/words';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { PathPart } from './path-part.js';

const approvalBody = z.strictObject({ tools: approveManifest.input.shape.tools.min(1) });

@ApiTags('Executors')
@Controller('api/v1')
export class RegistryController {
  constructor(@Inject(Wire) private readonly wire: Wire) {}

  @Get('manifests')
  @Allow('operator')
  @Operation({
    summary: 'What each executor announces, against what is approved.',
    answer: listManifests.output,
    refusals: ['not-allowed'],
  })
  async manifests(): Promise<CallOutput<typeof listManifests>> {
    return this.wire.call(listManifests, {});
  }

  @Post('manifests/:executor/approve')
  @HttpCode(200)
  @Allow('operator')
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
    return this.wire.call(approveManifest, { executor, tools, by: `user ${principal.user} with key ${principal.key}` });
  }

  @Get('profiles')
  @Allow('user')
  @Operation({ summary: 'The bundles of tools that skills open.', answer: listProfiles.output })
  async profiles(): Promise<CallOutput<typeof listProfiles>> {
    return this.wire.call(listProfiles, {});
  }
}
