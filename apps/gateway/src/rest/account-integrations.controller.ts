import { Controller, Delete, Get, Inject, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { accountView, setIntegration, type Principal } from '@skillgate/contracts/calls/accounts';
import { disconnectIntegration, listIntegrations } from '@skillgate/contracts/calls/integrations';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { IntegrationName } from './integrations.controller.js';

const markBody = z.strictObject({ connected: z.boolean() });

/** The same for an account by its id, as an operator needs it. */
@ApiTags('Integrations')
@Controller('api/v1/accounts/:account/integrations')
export class AccountIntegrationsController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Get()
  @Allow('read-account')
  @Operation({
    summary: 'The outside systems of an account.',
    answer: listIntegrations.output,
    refusals: ['not-allowed', 'unknown-account'],
  })
  async list(@AccountId() account: string, @Caller() principal: Principal): Promise<CallOutput<typeof listIntegrations>> {
    return this.house.read(listIntegrations, principal, { account });
  }

  @Put(':integration')
  @Allow('set-integration')
  @Operation({
    summary: 'Marks an outside system as connected or not, without a credential; for operators.',
    description:
      'For executors that hold access of their own. Skills that need the outside system open; nothing can be leased. An admin ' +
      'connects with a credential, and disconnects with DELETE.',
    body: markBody,
    answer: accountView,
    refusals: ['not-allowed', 'unknown-account', 'unknown-integration', 'invalid-body'],
  })
  async mark(
    @AccountId() account: string,
    @IntegrationName() integration: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof setIntegration>> {
    const { connected } = await readJson(request, markBody, 'invalid-body');
    return this.house.change(setIntegration, principal, { account, integration, connected });
  }

  @Delete(':integration')
  @Allow('disconnect-integration')
  @Operation({
    summary: 'Disconnects an outside system of an account, as its admin would.',
    answer: disconnectIntegration.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-integration'],
  })
  async disconnect(
    @AccountId() account: string,
    @IntegrationName() integration: string,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof disconnectIntegration>> {
    return this.house.change(disconnectIntegration, principal, { account, integration });
  }
}
