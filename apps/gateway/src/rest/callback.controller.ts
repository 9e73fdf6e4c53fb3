import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { finishConnection } from '@skillgate/contracts/calls/integrations';
import { plainText } from '@skillgate/contracts/plain-text';
import { Wire } from '@skillgate/wire/wire';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { Allow } from '../access/access-guard.js';
import { Authenticator } from '../access/authenticate.js';
import { correlationIdOf } from '../identify-request.js';
import { Operation } from '../openapi/operation.js';
import { describeError } from '../errors/describe-error.js';
import { connectedPage, failedPage } from './callback-page.js';
import { QueryParts } from './query-parts.js';

/** As RFC 6749, 4.1.2, and RFC 9207 name them; outside systems add their own, which nobody reads. */
const sent = z.object({
  state: plainText(1, 200),
  code: plainText(1, 4_000).optional(),
  error: plainText(1, 200).optional(),
  error_description: plainText(0, 2_000).optional(),
  iss: plainText(1, 500).optional(),
});

/** Comes from a browser that an outside system sent here: `state` says whose connection it is, and no key is asked for. */
@ApiTags('Integrations')
@Controller('api/v1/integrations/callback')
@Allow('anybody')
export class CallbackController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
  ) {}

  @Get()
  @Operation({
    summary: 'Ends a connection that was begun. For the browser that an outside system sends back, not for you to call.',
    description: 'A browser gets a page; who does not ask for text/html gets JSON. `state` works once.',
    open: true,
    query: sent,
    answer: finishConnection.output,
    refusals: ['connection-unknown', 'connection-denied', 'connection-failed', 'integration-not-configured', 'invalid-query'],
  })
  async finish(@Query() query: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    // The address holds a code: it must go on to no other site and into no cache.
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    const wantsPage = request.accepts(['json', 'html']) === 'html';
    try {
      const { error_description: errorDescription, ...rest } = new QueryParts(sent).transform(query);
      const connected = await this.wire.call(finishConnection, { ...rest, ...(errorDescription ? { errorDescription } : {}) });
      this.authenticator.forget();
      if (wantsPage) connectedPage(response, connected);
      else response.json(connected);
    } catch (error) {
      if (!wantsPage) throw error;
      failedPage(response, describeError(error, correlationIdOf(response)));
    }
  }
}
