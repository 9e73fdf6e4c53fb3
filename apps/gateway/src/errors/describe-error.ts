import { HttpException } from '@nestjs/common';
import { isHouseError, type HouseError } from '@skillgate/contracts/refusal';
import { statusOf } from './status-of.js';

/** What a client learns of an error, before it takes the shape of `/v1` or of `/api/v1`. */
export interface DescribedError {
  status: number;
  slug: string;
  message: string;
  /** The request's field at fault, as `messages[0].role`. */
  param?: string;
  correlationId?: string;
  /** Whole seconds for the `Retry-After` header. */
  retryAfterSeconds?: number;
  details?: Record<string, unknown>;
}

const defaultRetrySeconds = 2;
const tooLargeMessage =
  'The request is too large: together its parts may have about 250 kB. Upload files with POST /api/v1/artifacts and name their ids.';

/**
 * The one place where an error becomes an HTTP status.
 *
 * refusal: 4xx by its slug; unavailable: 503 with `Retry-After`; breach: 502; all else: 500, with nothing but
 * `correlationId`, under which the log and the trace have the cause.
 */
export function describeError(error: unknown, correlationId: string): DescribedError {
  if (error instanceof HttpException) return describeHttp(error, correlationId);
  if (!isHouseError(error)) return internal(correlationId);
  const id = error.correlationId ?? correlationId;
  switch (error.kind) {
    case 'refusal': {
      const status = statusOf(error.slug);
      const { param, ...details } = error.details ?? {};
      return {
        status,
        slug: error.slug,
        message: error.message,
        ...(typeof param === 'string' ? { param } : {}),
        ...(status >= 500 ? { retryAfterSeconds: defaultRetrySeconds, correlationId: id } : {}),
        ...(status === 429 && !forGood(error) ? { retryAfterSeconds: secondsUntilRetry(error) } : {}),
        ...(Object.keys(details).length > 0 ? { details } : {}),
      };
    }
    case 'unavailable': {
      return { status: 503, slug: error.slug, message: error.message, retryAfterSeconds: secondsUntilRetry(error), correlationId: id };
    }
    case 'breach':
      // The one breach that a client can cause: what it sent fits HTTP and not a message of the house.
      if (error.slug === 'message-too-large') return { status: 413, slug: error.slug, message: tooLargeMessage };
      // The text names subjects and fields of the house; it is for its programmers and stands in the log.
      return {
        status: 502,
        slug: 'contract-breach',
        message: `A service answered in a shape that its contract does not allow. Report the correlation id ${id}.`,
        correlationId: id,
      };
    case 'defect':
      return internal(id);
  }
}

/** A limit of 0 is reached before anything begins, and stays so: there is nothing to wait for. */
const forGood = ({ details }: HouseError): boolean => details?.limit === 0;

/** Whole and never 0: "at once" would be the loop that the header is there to prevent. */
function secondsUntilRetry({ retryAfterMs, details }: HouseError): number {
  const resetsAt = typeof details?.resetsAt === 'string' ? Date.parse(details.resetsAt) - Date.now() : NaN;
  const ms = retryAfterMs ?? (Number.isFinite(resetsAt) ? resetsAt : defaultRetrySeconds * 1000);
  return Math.max(1, Math.ceil(ms / 1000));
}

const internal = (correlationId: string): DescribedError => ({
  status: 500,
  slug: 'internal',
  message: `Something broke on our side. Report the correlation id ${correlationId}.`,
  correlationId,
});

/** Nest's own exceptions: no such route, mostly. */
function describeHttp(error: HttpException, correlationId: string): DescribedError {
  const status = error.getStatus();
  if (status === 404) return { status, slug: 'unknown-route', message: `${error.message}. The routes are listed in GET /openapi.json.` };
  if (status >= 500) return internal(correlationId);
  return { status, slug: 'invalid-request', message: error.message };
}
