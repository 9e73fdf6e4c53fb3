import { Controller, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import * as accounts from '@skillgate/contracts/calls/accounts';
import { limitOverrides } from '@skillgate/contracts/entitlements';
import { plainText } from '@skillgate/contracts/plain-text';
import { accountId } from '@skillgate/contracts/words';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';

type Account = z.infer<typeof accounts.accountView>;
type Principal = accounts.Principal;

const tier = plainText(1, 50); // whether there is one of this name, accounts says
const accountBody = z.strictObject({ ...accounts.createAccount.input.omit({ authority: true }).shape, tier });
const tierBody = z.strictObject({ tier });
const capabilitiesBody = z.strictObject(accounts.setCapabilities.input.pick({ capabilities: true }).shape);
const limitsBody = z.strictObject(limitOverrides.shape);
const page = z.strictObject({
  after: accountId.optional().describe('The last id of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const AccountId = () => Param('account', new PathPart(accountId, 'unknown-account'));

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class AccountsController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Post()
  @HttpCode(201)
  @Allow('create-account')
  @Operation({
    summary: 'Creates an account with its first user, who has the role "admin".',
    description: 'The answer names that user as `admin`: give it a key with `POST /api/v1/accounts/{account}/keys`.',
    body: accountBody,
    status: 201,
    answer: accounts.accountView,
    refusals: ['not-allowed', 'unknown-tier', 'invalid-body'],
  })
  async create(@Req() request: Request, @Caller() principal: Principal): Promise<Account> {
    return this.house.change(accounts.createAccount, principal, await readJson(request, accountBody, 'invalid-body'));
  }

  @Get()
  @Allow('list-accounts')
  @Operation({
    summary: 'The accounts of this installation, oldest first.',
    query: page,
    answer: accounts.listAccounts.output,
    refusals: ['not-allowed', 'unknown-account', 'invalid-query'],
  })
  async list(@Query(new QueryParts(page)) asked: z.infer<typeof page>, @Caller() principal: Principal): Promise<{ accounts: Account[] }> {
    return this.house.read(accounts.listAccounts, principal, asked);
  }

  @Get(':account')
  @Allow('read-account')
  @Operation({ summary: 'An account.', answer: accounts.accountView, refusals: ['not-allowed', 'unknown-account'] })
  async get(@AccountId() account: string, @Caller() principal: Principal): Promise<Account> {
    return this.house.read(accounts.getAccount, principal, { account });
  }

  @Put(':account/tier')
  @Allow('set-tier')
  @Operation({
    summary: 'Moves an account to another tier. Running turns follow with their next step.',
    body: tierBody,
    answer: accounts.accountView,
    refusals: ['not-allowed', 'unknown-account', 'unknown-tier', 'invalid-body'],
  })
  async setTier(@AccountId() account: string, @Req() request: Request, @Caller() principal: Principal): Promise<Account> {
    const { tier } = await readJson(request, tierBody, 'invalid-body');
    return this.house.change(accounts.setTier, principal, { account, tier });
  }

  @Put(':account/capabilities')
  @Allow('set-capabilities')
  @Operation({
    summary: 'Sets all that an account may do beside its tier. What is not named goes.',
    body: capabilitiesBody,
    answer: accounts.accountView,
    refusals: ['not-allowed', 'unknown-account', 'invalid-body'],
  })
  async setCapabilities(@AccountId() account: string, @Req() request: Request, @Caller() principal: Principal): Promise<Account> {
    const { capabilities } = await readJson(request, capabilitiesBody, 'invalid-body');
    return this.house.change(accounts.setCapabilities, principal, { account, capabilities });
  }

  @Put(':account/limits')
  @Allow('set-limits')
  @Operation({
    summary: "Sets the limits that an account has in place of its tier's. What is not named is the tier's again; null is no limit.",
    body: limitsBody,
    answer: accounts.accountView,
    refusals: ['not-allowed', 'unknown-account', 'invalid-body'],
  })
  async setLimits(@AccountId() account: string, @Req() request: Request, @Caller() principal: Principal): Promise<Account> {
    return this.house.change(accounts.setLimits, principal, { account, limits: await readJson(request, limitsBody, 'invalid-body') });
  }
}
