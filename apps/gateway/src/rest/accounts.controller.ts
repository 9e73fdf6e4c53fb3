import { Controller, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { accountView, createAccount, getAccount, setIntegration, setTier } from '@skillgate/contracts/calls/accounts';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { accountId } from '@skillgate/contracts/words';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow } from '../access/access-guard.js';
import { Authenticator } from '../access/authenticate.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { PathPart } from './path-part.js';

type Account = CallOutput<typeof getAccount>;

const accountBody = z.strictObject(createAccount.input.shape);
const tierBody = z.strictObject({ tier: z.string().max(50) });
const integrationBody = z.strictObject({ connected: z.boolean() });

export const AccountId = () => Param('account', new PathPart(accountId, 'unknown-account'));

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class AccountsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  @Post()
  @HttpCode(201)
  @Allow('operator')
  @Operation({
    summary: 'Creates an account.',
    body: accountBody,
    status: 201,
    answer: accountView,
    refusals: ['not-allowed', 'unknown-tier', 'invalid-body'],
  })
  async create(@Req() request: Request): Promise<Account> {
    return this.wire.call(createAccount, await readJson(request, accountBody, 'invalid-body'));
  }

  @Get(':account')
  @Allow('account-admin')
  @Operation({ summary: 'An account.', answer: accountView, refusals: ['not-allowed', 'unknown-account'] })
  async get(@AccountId() account: string): Promise<Account> {
    return this.wire.call(getAccount, { account });
  }

  @Put(':account/tier')
  @Allow('operator')
  @Operation({
    summary: 'Moves an account to another tier.',
    body: tierBody,
    answer: accountView,
    refusals: ['not-allowed', 'unknown-account', 'unknown-tier', 'invalid-body'],
  })
  async setTier(@AccountId() account: string, @Req() request: Request): Promise<Account> {
    const { tier } = await readJson(request, tierBody, 'invalid-body');
    return this.changed(await this.wire.call(setTier, { account, tier }));
  }

  @Put(':account/integrations/:integration')
  @Allow('account-admin')
  @Operation({
    summary: 'Marks an outside system as connected or not.',
    body: integrationBody,
    answer: accountView,
    refusals: ['not-allowed', 'unknown-account', 'unknown-integration', 'invalid-body'],
  })
  async setIntegration(
    @AccountId() account: string,
    @Param('integration', new PathPart(z.string().max(50), 'unknown-integration')) integration: string,
    @Req() request: Request,
  ): Promise<Account> {
    const { connected } = await readJson(request, integrationBody, 'invalid-body');
    return this.changed(await this.wire.call(setIntegration, { account, integration, connected }));
  }

  private changed(account: Account): Account {
    this.authenticator.forget();
    return account;
  }
}
