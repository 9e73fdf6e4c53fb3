import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { rotateCredentials } from '@skillgate/contracts/calls/integrations';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { HouseCalls } from './house-calls.js';

const rotation = z.strictObject(rotateCredentials.input.omit({ authority: true }).shape);

@ApiTags('Integrations')
@Controller('api/v1')
export class CredentialsController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Post('credentials\\:rotate') // a plain colon would begin a parameter
  @HttpCode(200)
  @Allow('rotate-credentials')
  @Operation({
    summary: 'Encrypts credentials anew under the first configured key, some at each request.',
    description: 'Send `{}` first, then `after` with the `next` of the answer until there is none. Leases go on meanwhile.',
    body: rotation,
    answer: rotateCredentials.output,
    refusals: ['not-allowed', 'integration-not-configured', 'invalid-body'],
  })
  async rotate(@Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof rotateCredentials>> {
    return this.house.read(rotateCredentials, principal, await readJson(request, rotation, 'invalid-body'));
  }
}
