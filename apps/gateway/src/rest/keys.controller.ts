import { Controller, Delete, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { createApiKey, revokeApiKey, type Principal } from '@skillgate/contracts/calls/accounts';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Authenticator } from '../access/authenticate.js';
import { mayGrant } from '../access/roles.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { AccountId } from './accounts.controller.js';
import { PathPart } from './path-part.js';

const keyBody = z.strictObject(createApiKey.input.omit({ account: true }).shape);

@ApiTags('Accounts')
@Controller('api/v1/accounts/:account/keys')
@Allow('account-admin')
export class KeysController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  @Post()
  @HttpCode(201)
  @Operation({
    summary: 'Creates an API key. Its secret is in this answer and nowhere else.',
    description: 'Without `user` the key stands for a new user. Nobody gives a role that is not theirs.',
    body: keyBody,
    status: 201,
    answer: createApiKey.output,
    refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'unknown-user', 'invalid-body'],
  })
  async create(
    @AccountId() account: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof createApiKey>> {
    const asked = await readJson(request, keyBody, 'invalid-body');
    const tooMuch = asked.roles.find((role) => !mayGrant(principal, role));
    if (tooMuch)
      throw refuse('role-not-allowed', `You may not give the role "${tooMuch}"; leave it out, or ask an operator.`, { param: 'roles' });
    return this.wire.call(createApiKey, { account, ...asked });
  }

  @Delete(':key')
  @Operation({ summary: 'Revokes an API key.', answer: revokeApiKey.output, refusals: ['not-allowed', 'unknown-account', 'unknown-key'] })
  async revoke(
    @AccountId() account: string,
    @Param('key', new PathPart(z.uuid(), 'unknown-key')) key: string,
  ): Promise<CallOutput<typeof revokeApiKey>> {
    const revoked = await this.wire.call(revokeApiKey, { account, key });
    this.authenticator.forget();
    return revoked;
  }
}
