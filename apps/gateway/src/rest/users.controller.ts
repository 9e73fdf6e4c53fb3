import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { createUser, listUsers, revokeUser, updateUser, userView, type UserView } from '@skillgate/contracts/calls/users';
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

const newUser = z.strictObject(createUser.input.omit({ authority: true, account: true }).shape);
const change = z
  .strictObject(updateUser.input.omit({ authority: true, account: true, user: true }).shape)
  .refine(({ name, roles }) => name !== undefined || roles !== undefined, 'Give a name, roles, or both.');
const page = z.strictObject({
  after: userId.optional().describe('The last id of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
const UserId = () => Param('user', new PathPart(userId, 'unknown-user'));

@ApiTags('Users')
@Controller('api/v1/accounts/:account/users')
export class UsersController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Get()
  @Allow('list-users')
  @Operation({
    summary: 'The users of an account, oldest first, revoked ones included.',
    query: page,
    answer: listUsers.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-user', 'invalid-query'],
  })
  async list(
    @AccountId() account: string,
    @Query(new QueryParts(page)) asked: z.infer<typeof page>,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof listUsers>> {
    return this.house.read(listUsers, principal, { account, ...asked });
  }

  @Post()
  @HttpCode(201)
  @Allow('create-user')
  @Operation({
    summary: 'Adds a user to an account.',
    description:
      'Roles bound what every key and token of the user may do. `identity` names the user of another issuer, by `iss` and `sub` ' +
      'of its tokens, where that issuer may not add users by itself.',
    body: newUser,
    status: 201,
    answer: userView,
    refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'identity-taken', 'invalid-body'],
  })
  async create(@AccountId() account: string, @Req() request: Request, @Caller() principal: Principal): Promise<UserView> {
    const asked = await readJson(request, newUser, 'invalid-body');
    requireGiving(principal, asked.roles);
    return this.house.change(createUser, principal, { account, ...asked });
  }

  @Patch(':user')
  @Allow('update-user')
  @Operation({
    summary: "Changes a user's name, roles, or both.",
    body: change,
    answer: userView,
    refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'unknown-user', 'user-revoked', 'last-admin', 'last-operator', 'invalid-body'],
  })
  async update(
    @AccountId() account: string,
    @UserId() user: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<UserView> {
    const asked = await readJson(request, change, 'invalid-body');
    requireGiving(principal, asked.roles ?? []);
    return this.house.change(updateUser, principal, { account, user, ...asked });
  }

  @Delete(':user')
  @Allow('revoke-user')
  @Operation({
    summary: 'Revokes a user for good: keys and tokens of this user open nothing any more.',
    answer: revokeUser.output,
    refusals: ['not-allowed', 'role-not-allowed', 'unknown-account', 'unknown-user', 'last-admin', 'last-operator'],
  })
  async revoke(
    @AccountId() account: string,
    @UserId() user: string,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof revokeUser>> {
    return this.house.change(revokeUser, principal, { account, user });
  }
}
