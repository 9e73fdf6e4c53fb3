import { Inject, Injectable, SetMetadata, createParamDecorator, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { refuse } from '@skillgate/contracts/refusal';
import type { Request, Response } from 'express';
import { Authenticator } from './authenticate.js';
import { RequestLimits, type RequestsLeft } from './request-limits.js';
import { mayUse, type Access } from './roles.js';

const accessKey = 'skillgate.access';
const principals = new WeakMap<Request, Principal>();

/** Opens a route (or all routes of a controller) to `access`. A route without it is closed to everyone. */
export const Allow = (access: Access) => SetMetadata(accessKey, access);

/** Who sent the request. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = principals.get(context.switchToHttp().getRequest<Request>());
  if (!principal) throw new Error('this route has a caller but no guard');
  return principal;
});

/** Authenticates and authorises each HTTP request; messages on the wire have their own proofs. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const access = this.reflector.getAllAndOverride<Access | undefined>(accessKey, [context.getHandler(), context.getClass()]);
    if (!access) throw new Error(`${context.getClass().name}.${context.getHandler().name} says nothing about who may use it`);
    const principal = await this.authenticator.principalOf(request.headers.authorization);
    tellLeft(context.switchToHttp().getResponse<Response>(), await this.limits.count(principal));
    const account = request.params['account'];
    if (!mayUse(access, principal, typeof account === 'string' ? account : undefined)) {
      throw refuse('not-allowed', `This needs ${needs[access]}. Use another API key.`);
    }
    principals.set(request, principal);
    return true;
  }
}

/** Under the names that clients of the vendor's API read already. */
function tellLeft(response: Response, left: RequestsLeft | null): void {
  if (!left) return;
  response.setHeader('x-ratelimit-limit-requests', String(left.limit));
  response.setHeader('x-ratelimit-remaining-requests', String(left.remaining));
  response.setHeader('x-ratelimit-reset-requests', `${Math.ceil(left.resetMs / 1000)}s`);
}

const needs: Record<Access, string> = {
  user: 'an API key',
  'account-admin': 'the role "admin" in this very account, or "operator"',
  operator: 'the role "operator"',
};
