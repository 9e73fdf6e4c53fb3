import type { Limits } from '@skillgate/contracts/entitlements';
import { HouseError } from '@skillgate/contracts/refusal';

/** What an account has used up since the last midnight of UTC, by the clock of the database. */
export interface Usage {
  /** `YYYY-MM-DD`, of UTC. */
  readonly day: string;
  readonly resetsAt: Date;
  /** Running, or ended today. */
  readonly turns: number;
  /** Of turns that ended today. */
  readonly tokens: number;
  readonly running: number;
  /** Milliseconds to `resetsAt`. */
  readonly resetsInMs: number;
}

/** Nobody knows when a turn ends; most do within seconds. */
const parallelRetryMs = 2_000;

/**
 * May one more turn begin? Throws why not, naming the limit, what was used and when there is room again. Tokens are known
 * when a turn ends: those that were begun in time end in peace, and may go over the limit.
 *
 * @throws refusal `turns-a-day-reached`, `tokens-a-day-reached` or `parallel-turns-reached`
 */
export function requireRoom(usage: Usage, limits: Limits): void {
  const { turns, tokens, running, resetsAt, resetsInMs } = usage;
  const tomorrow = { resetsAt: resetsAt.toISOString(), retryAfterMs: resetsInMs };
  const none = 'ask for a higher limit, waiting does not help';
  const never = { resetsAt: null };
  if (limits.turnsPerDay === 0) throw full('turns-a-day-reached', `The limits of this account allow no turns; ${none}.`, 0, turns, never);
  if (limits.tokensPerDay === 0) throw full('tokens-a-day-reached', `The limits of this account allow no tokens; ${none}.`, 0, tokens, never);
  if (limits.parallelTurns === 0) throw full('parallel-turns-reached', `The limits of this account allow no turn to run; ${none}.`, 0, running, never);
  const reached = (limit: number | null, used: number): limit is number => limit !== null && used >= limit;
  if (reached(limits.turnsPerDay, turns)) {
    throw full('turns-a-day-reached', `This account has used its ${counted(limits.turnsPerDay, 'turn')} of today. Go on tomorrow (UTC), or ask for more.`, limits.turnsPerDay, turns, tomorrow);
  }
  if (reached(limits.tokensPerDay, tokens)) {
    throw full('tokens-a-day-reached', `This account has used its ${counted(limits.tokensPerDay, 'token')} of today. Go on tomorrow (UTC), or ask for more.`, limits.tokensPerDay, tokens, tomorrow);
  }
  if (reached(limits.parallelTurns, running)) {
    const soon = { resetsAt: null, retryAfterMs: parallelRetryMs };
    throw full('parallel-turns-reached', `This account has ${counted(running, 'turn')} running, of at most ${limits.parallelTurns}. Wait for one to end, or cancel one.`, limits.parallelTurns, running, soon);
  }
}

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function full(slug: string, message: string, limit: number, used: number, when: { resetsAt: string | null; retryAfterMs?: number }): HouseError {
  const { resetsAt, ...after } = when;
  return new HouseError({ kind: 'refusal', slug, message, ...after, details: { limit, used, resetsAt } });
}

export const isLimited = (limits: Limits | undefined): limits is Limits => limits !== undefined && Object.values(limits).some((limit) => limit !== null);
