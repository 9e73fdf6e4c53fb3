import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/**
 * Why a provider gave no token, by who must act. Made of our own words and the provider's error code alone: what the
 * library throws may carry whole answers, with tokens in them.
 */
export type ProviderFailure =
  /** The grant is no good any more: the user must connect again. */
  | { readonly kind: 'invalid-grant' }
  /** The person said no, or the provider did for them. */
  | { readonly kind: 'denied'; readonly code: string }
  /** The provider does not like this house's client or request: the operator must act. */
  | { readonly kind: 'refused'; readonly code: string }
  /** No answer, or none that could be understood: later. */
  | { readonly kind: 'away'; readonly why: string };

/** Codes of the library for answers that came and did not pass its checks. */
const wrongAnswers = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED']);

const passing = new Set(['server_error', 'temporarily_unavailable', 'slow_down', 'rate_limited', 'ratelimited']);

export function providerFailure(error: unknown): ProviderFailure {
  if (error instanceof AuthorizationResponseError) return { kind: 'denied', code: safeCode(error.error) };
  if (error instanceof ResponseBodyError) {
    const code = safeCode(error.error);
    if (error.status >= 500 || error.status === 429 || passing.has(code)) return { kind: 'away', why: `status ${error.status}, ${code}` };
    return code === 'invalid_grant' ? { kind: 'invalid-grant' } : { kind: 'refused', code };
  }
  // An answer that is signed, addressed or made otherwise than it must be: of another issuer, for another client.
  if (error instanceof ClientError && wrongAnswers.has(String(error.code))) return { kind: 'refused', code: safeCode(String(error.code)) };
  const { code, name } = (error instanceof Error ? error : {}) as { code?: unknown; name?: string };
  return { kind: 'away', why: typeof code === 'string' ? safeCode(code) : (name ?? 'unknown') };
}

/** Error codes are printable words (RFC 6749, 5.2); whatever else comes is cut to one. */
export const safeCode = (code: string): string => code.replaceAll(/[^\w.-]+/g, '_').slice(0, 64) || 'unknown';
