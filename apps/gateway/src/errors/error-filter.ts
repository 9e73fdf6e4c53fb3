import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import type { Request, Response } from 'express';
import { correlationIdOf } from '../identify-request.js';
import { describeError } from './describe-error.js';
import { toProblem } from './problem.js';
import { toVendorError } from './vendor-error.js';

/** Gives every error of an HTTP route the shape of its side: the vendor's under `/v1`, RFC 9457 elsewhere. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // Messages on the wire have an envelope of their own; rethrown, the error reaches it.
    if (host.getType() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const described = describeError(error, correlationIdOf(response));
    if (described.status >= 500) this.log.error({ err: error, slug: described.slug, path: request.path }, 'request failed');
    if (response.headersSent) {
      response.destroy(); // too late for words: a cut answer must not look like a whole one
      return;
    }
    response.status(described.status);
    if (described.retryAfterSeconds) response.setHeader('retry-after', String(described.retryAfterSeconds));
    if (described.status === 401) response.setHeader('www-authenticate', challenge(request));
    if (request.path.startsWith('/v1/')) response.json(toVendorError(described));
    else response.type('application/problem+json').send(JSON.stringify(toProblem(described, request.path)));
  }
}

/** RFC 6750, 3.1: who showed nothing is told of no error. */
const challenge = ({ headers }: Request): string => `Bearer realm="skillgate"${headers.authorization ? ', error="invalid_token"' : ''}`;
