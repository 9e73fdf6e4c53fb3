/** What is sealed of an OAuth connection. */
export interface TokenSet {
  readonly accessToken: string;
  /** Absent: the provider gave none, so the access token cannot be renewed. */
  readonly refreshToken?: string;
  /** Milliseconds since the epoch; absent: the provider names no end. */
  readonly expiresAt?: number;
  /** When it is time for the next one: some time before the end, but not so early that a short life is all renewing. */
  readonly renewAt?: number;
}

/** What a provider's token answer says, and how the connection stands with it. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Seconds. */
  readonly expires_in?: number;
  readonly scope?: string;
}

/** A lease should outlive the call that it is for, and a grant lives a minute. */
const earliestRenewalMs = 60_000;

/**
 * @param now milliseconds since the epoch, when the answer was asked for
 * @param before whose refresh token stays where the answer brings no new one (RFC 6749, 6)
 */
export function tokenSet(answer: TokenAnswer, now: number, before?: TokenSet): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken = before?.refreshToken, expires_in: seconds } = answer;
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined;
  return {
    accessToken,
    ...(refreshToken && { refreshToken }),
    ...(lifeMs && { expiresAt: now + lifeMs, renewAt: now + lifeMs - Math.min(earliestRenewalMs, lifeMs / 4) }),
  };
}

/** Providers that separate by commas exist; an answer without a scope grants what was asked for (RFC 6749, 5.1). */
export const grantedScopes = (scope: string | undefined, asked: readonly string[]): string[] =>
  scope === undefined ? [...asked] : scope.split(/[\s,]+/).filter(Boolean); // one or more spaces or commas
