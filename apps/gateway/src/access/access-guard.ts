import { Inject, Injectable, SetMetadata, createParamDecorator, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { refuse } from '@skillgate/contracts/refusal';
import { may, type Action } from '@skillgate/gating/may';
import type { Request, Response } from 'express';
import { Authenticator } from './authenticate.js';
import { RequestLimits, type RequestsLeft } from './request-limits.js';

const accessKey = 'skillgate.access';
const principals = new WeakMap<Request, Principal>();

/**
 * Opens a route (or all routes of a controller) to who may do `action`, in the account that the path names where it names
 * one; `anybody` needs no key. A route without it is closed to everyone.
 */
export const Allow = (action: Action | 'anybody') => SetMetadata(accessKey, action);

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
    const action = this.reflector.getAllAndOverride<Action | 'anybody' | undefined>(accessKey, [context.getHandler(), context.getClass()]);
    if (!action) throw new Error(`${context.getClass().name}.${context.getHandler().name} says nothing about who may use it`);
    if (action === 'anybody') return true;
    const principal = await this.authenticator.principalOf(request.headers.authorization);
    const { left, refusal } = await this.limits.count(principal);
    tellLeft(context.switchToHttp().getResponse<Response>(), left); // who is refused reads most of all how much is left
    if (refusal) throw refusal;
    const account = request.params['account'];
    const allowed = may(principal, action, typeof account === 'string' ? { account } : {});
    if (allowed !== true) throw refuse(allowed.slug, allowed.message);
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
