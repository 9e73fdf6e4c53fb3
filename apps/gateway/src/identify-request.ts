import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';

// A caller's own id may be kept when it can do no harm in a header or a log line.
const harmless = /^[\w.:-]{1,128}$/;

/**
 * Names each request before anything can go wrong with it: `x-request-id`, `x-trace-id` and `traceresponse`
 * (W3C Trace Context Level 2 draft) stand in every answer, errors included.
 */
export function identifyRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  response.setHeader('x-request-id', typeof given === 'string' && harmless.test(given) ? given : randomUUID());
  const span = trace.getActiveSpan()?.spanContext();
  if (span) {
    response.setHeader('x-trace-id', span.traceId);
    response.setHeader('traceresponse', `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`);
  }
  next();
}

/** The trace id, under which log and trace are found; without tracing the request id, which the log has. */
export const correlationIdOf = (response: Response): string =>
  String(response.getHeader('x-trace-id') ?? response.getHeader('x-request-id') ?? randomUUID());
