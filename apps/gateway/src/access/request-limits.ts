import type { Principal } from '@skillgate/contracts/calls/accounts';
import { HouseError } from '@skillgate/contracts/refusal';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

type Scope = 'key' | 'account';

/** What is left of a minute for its tightest limit. */
export interface RequestsLeft {
  limit: number;
  remaining: number;
  /** Milliseconds until the minute is over. */
  resetMs: number;
}

const minuteSeconds = 60;

/**
 * Requests in a minute that begins with the first one, for each key and for each account. Kept in memory, so each replica
 * counts what it serves: the limit protects the house from a loop that ran away, and is no price list; budgets that must be exact are the
 * orchestrator's.
 */
export class RequestLimits {
  private readonly limiters: readonly [Scope, RateLimiterMemory][];

  /** 0 means no limit. */
  constructor(perKey: number, perAccount: number) {
    const limits: [Scope, number][] = [
      ['key', perKey],
      ['account', perAccount],
    ];
    this.limiters = limits
      .filter(([, points]) => points > 0)
      .map(([scope, points]) => [scope, new RateLimiterMemory({ keyPrefix: scope, points, duration: minuteSeconds })]);
  }

  /** Counts one request. `left` is null without limits; `refusal`, for the caller to throw: `requests-a-minute-reached`. */
  async count(principal: Principal): Promise<{ left: RequestsLeft | null; refusal?: HouseError }> {
    let tightest: RequestsLeft | null = null;
    for (const [scope, limiter] of this.limiters) {
      const { points: limit } = limiter;
      const left = await limiter.consume(idOf(scope, principal)).catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) return reason;
        throw reason;
      });
      if (left.consumedPoints > limit) {
        return { left: { limit, remaining: 0, resetMs: left.msBeforeNext }, refusal: reached(scope, limit, left.msBeforeNext) };
      }
      if (tightest && tightest.remaining <= left.remainingPoints) continue;
      tightest = { limit, remaining: left.remainingPoints, resetMs: left.msBeforeNext };
    }
    return { left: tightest };
  }
}

/** Who signs in has no key, and one count for all of the tokens. */
const idOf = (scope: Scope, { account, key, user }: Principal): string => (scope === 'account' ? account : (key ?? `user ${user}`));

function reached(scope: Scope, limit: number, msBeforeNext: number): HouseError {
  const whose = scope === 'account' ? 'This account, with all of its keys,' : 'This API key or user';
  return new HouseError({
    kind: 'refusal',
    slug: 'requests-a-minute-reached',
    message: `${whose} may send ${limit} requests a minute here, and they are used. Wait as Retry-After says, then go on more slowly.`,
    retryAfterMs: msBeforeNext,
    details: { scope, limit, used: limit, resetsAt: new Date(Date.now() + msBeforeNext).toISOString() },
  });
}
