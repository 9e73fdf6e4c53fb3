import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { createApiKey, listApiKeys, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { userId } from '@skillgate/contracts/words';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';
import { requireGiving } from './require-giving.js';

const keyBody = z.strictObject(createApiKey.input.omit({ account: true, authority: true }).shape);
const whose = z.strictObject({ user: userId.optional().describe('Only the keys of this user.') });
export const KeyId = () => Param('key', new PathPart(z.uuid(), 'unknown-key'));

@ApiTags('Keys')
@Controller('api/v1/accounts/:account/keys')
export class KeysController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Get()
  @Allow('list-api-keys')
  @Operation({
    summary: 'The API keys of an account, newest first. Their secrets are nowhere.',
    query: whose,
    answer: listApiKeys.output,
    refusals: ['not-allowed', 'unknown-account', 'invalid-query'],
  })
  async list(
    @AccountId() account: string,
    @Query(new QueryParts(whose)) asked: z.infer<typeof whose>,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof listApiKeys>> {
    return this.house.read(listApiKeys, principal, { account, ...asked });
  }

  @Post()
  @HttpCode(201)
  @Allow('create-api-key')
  @Operation({
    summary: 'Creates an API key. Its secret is in this answer and nowhere else.',
    description:
      'Without `user` the key stands for a new user. A key may do what its user may, and nobody gives a role that is not theirs.',
    body: keyBody,
    status: 201,
    answer: createApiKey.output,
    refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'unknown-user', 'expiry-past', 'invalid-body'],
  })
  async create(
    @AccountId() account: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof createApiKey>> {
    const asked = await readJson(request, keyBody, 'invalid-body');
    requireGiving(principal, asked.roles);
    return this.house.change(createApiKey, principal, { account, ...asked });
  }

  @Delete(':key')
  @Allow('revoke-api-key')
  @Operation({ summary: 'Revokes an API key.', answer: revokeApiKey.output, refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'unknown-key', 'last-operator'] })
  async revoke(
    @AccountId() account: string,
    @KeyId() key: string,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof revokeApiKey>> {
    return this.house.change(revokeApiKey, principal, { account, key });
  }
}
