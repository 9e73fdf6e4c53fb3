import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import * as integrations from '@skillgate/contracts/calls/integrations';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { CONFIG } from '@skillgate/service-kit/inject';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import type { GatewayConfig } from '../config.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { callbackAddress } from './callback-address.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';

const secretBody = z.strictObject(integrations.connectWithSecret.input.pick({ fields: true }).shape);
const integrationName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/); // which ones there are, accounts says
export const IntegrationName = () => Param('integration', new PathPart(integrationName, 'unknown-integration'));

const connecting = ['not-allowed', 'unknown-integration', 'integration-not-configured', 'wrong-kind'];

@ApiTags('Integrations')
@Controller('api/v1/integrations')
export class IntegrationsController {
  constructor(
    @Inject(HouseCalls) private readonly house: HouseCalls,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  @Get()
  @Allow('list-integrations')
  @Operation({
    summary: 'The outside systems that your account can connect: status, who connected them, and what they take.',
    answer: integrations.listIntegrations.output,
  })
  async list(@Caller() principal: Principal): Promise<CallOutput<typeof integrations.listIntegrations>> {
    return this.house.read(integrations.listIntegrations, principal, {});
  }

  @Post(':integration/connection')
  @HttpCode(201)
  @Allow('begin-connection')
  @Operation({
    summary: 'Begins the sign-in at an outside system that works by OAuth.',
    description:
      'Open `url` in a browser and agree within ten minutes; the outside system sends the browser to ' +
      '`GET /api/v1/integrations/callback`, which ends the connection. Register that address, under SKILLGATE_PUBLIC_URL, with ' +
      'the outside system.',
    status: 201,
    answer: integrations.beginConnection.output,
    refusals: connecting,
  })
  async begin(
    @IntegrationName() integration: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof integrations.beginConnection>> {
    const redirectUri = callbackAddress(this.config.SKILLGATE_PUBLIC_URL, request);
    return this.house.change(integrations.beginConnection, principal, { integration, redirectUri });
  }

  @Put(':integration/credential')
  @Allow('connect-with-secret')
  @Operation({
    summary: 'Connects an outside system that takes an API key or an app password.',
    description: 'What the `fields` are called stands in the list. They are encrypted and shown to nobody again.',
    body: secretBody,
    answer: integrations.connectWithSecret.output,
    refusals: [...connecting, 'invalid-fields', 'invalid-body'],
  })
  async connect(
    @IntegrationName() integration: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof integrations.connectWithSecret>> {
    const { fields } = await readJson(request, secretBody, 'invalid-body');
    return this.house.change(integrations.connectWithSecret, principal, { integration, fields });
  }

  @Delete(':integration')
  @Allow('disconnect-integration')
  @Operation({
    summary: 'Disconnects an outside system: the credential is revoked there, where it can be, and wiped here.',
    answer: integrations.disconnectIntegration.output,
    refusals: ['not-allowed', 'unknown-integration'],
  })
  async disconnect(
    @IntegrationName() integration: string,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof integrations.disconnectIntegration>> {
    return this.house.change(integrations.disconnectIntegration, principal, { integration });
  }
}
