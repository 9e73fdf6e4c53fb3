import { ErrorCode } from '@slack/web-api';

/**
 * What became of one request to Slack.
 *
 * - `limited`: not taken, to be sent again after that time
 * - `credential`: not taken, the token opens nothing (any more)
 * - `refused`: not done, for the reason that the code names
 * - `unreachable`: it never left this machine
 * - `lost`: it may have been done; nobody said
 */
export type SlackFailure =
  | { kind: 'limited'; retryAfterMs: number }
  | { kind: 'credential'; code: string }
  | { kind: 'refused'; code: string; needed?: string }
  | { kind: 'unreachable' | 'lost'; code: string };

/** Codes with which Slack refuses the token itself. Source: the error tables of docs.slack.dev/reference/methods. */
const credentialCodes = new Set(['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive']);

/** Slack says of these that some part of the operation may have happened, or says nothing about it. */
const lostCodes = new Set(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']);

/** Failures of the connection's making, before a byte of the request was sent. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
]);

/** Where Slack names no time. Its own advice is a request a second. */
const unnamedWaitMs = 5_000;

/** @returns undefined for an error that is not of a request to Slack */
export function slackFailure(error: unknown): SlackFailure | undefined {
  const { code, retryAfter, data, statusCode, original } = error as Raw;
  if (code === ErrorCode.RateLimitedError) return { kind: 'limited', retryAfterMs: (retryAfter ?? 0) * 1000 };
  if (code === ErrorCode.HTTPError) return { kind: 'lost', code: `http_${statusCode}` };
  if (code === ErrorCode.RequestError) {
    const cause = innermostCode(original);
    return { kind: unsentCodes.has(cause) ? 'unreachable' : 'lost', code: cause };
  }
  if (code !== ErrorCode.PlatformError) return undefined;
  const said = /^\w{1,64}$/.test(data?.error ?? '') ? data!.error! : 'unreadable_answer'; // else a page of some proxy
  if (said === 'ratelimited' || said === 'rate_limited') {
    const seconds = data?.response_metadata?.retryAfter;
    return { kind: 'limited', retryAfterMs: seconds === undefined ? unnamedWaitMs : seconds * 1000 };
  }
  if (credentialCodes.has(said)) return { kind: 'credential', code: said };
  if (lostCodes.has(said) || said === 'unreadable_answer') return { kind: 'lost', code: said };
  return { kind: 'refused', code: said, ...(data?.needed && { needed: data.needed }) };
}

interface Raw {
  code?: string;
  retryAfter?: number;
  statusCode?: number;
  original?: unknown;
  data?: { error?: string; needed?: string; response_metadata?: { retryAfter?: number } };
}

/** The code of what went wrong at the bottom: fetch wraps what the socket said. */
export function innermostCode(error: unknown): string {
  let found = 'no_answer';
  for (
    let each = error as { code?: unknown; cause?: unknown } | undefined;
    each && typeof each === 'object';
    each = each.cause as typeof each
  )
    if (typeof each.code === 'string') found = each.code;
  return found;
}
