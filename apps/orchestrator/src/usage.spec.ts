import { describe, expect, it } from '@jest/globals';
import { type Limits, noLimits } from '@skillgate/contracts/entitlements';
import type { HouseError } from '@skillgate/contracts/refusal';
import { isLimited, requireRoom, type Usage } from './usage.js';

const usageOf = (change: Partial<Usage> = {}): Usage => ({
  ...{ day: '2030-01-01', resetsAt: new Date('2030-01-02T00:00:00Z'), turns: 4, tokens: 900, running: 2, resetsInMs: 3_600_000 },
  ...change,
});
function refusalOf(limits: Partial<Limits>, usage: Partial<Usage> = {}): HouseError | undefined {
  try {
    requireRoom(usageOf(usage), { ...noLimits, ...limits });
    return undefined;
  } catch (error) {
    return error as HouseError;
  }
}
const [tomorrow, hour] = ['2030-01-02T00:00:00.000Z', 3_600_000];

describe('one more turn', () => {
  it.each<[string, Partial<Limits>, Partial<Usage>, string | undefined]>([
    ['without limits begins', {}, { turns: 1e6, tokens: 1e9, running: 1e3 }, undefined],
    ['that is the last of the day begins', { turnsPerDay: 5 }, {}, undefined],
    ['behind the last of the day is refused', { turnsPerDay: 4 }, {}, 'turns-a-day-reached'],
    ['where none is allowed is refused', { turnsPerDay: 0 }, { turns: 0 }, 'turns-a-day-reached'],
    ['with a token left begins', { tokensPerDay: 901 }, {}, undefined],
    ['with no token left is refused', { tokensPerDay: 900 }, {}, 'tokens-a-day-reached'],
    ['beside others begins while there is a place', { parallelTurns: 3 }, {}, undefined],
    ['beside as many as there may be is refused', { parallelTurns: 2 }, {}, 'parallel-turns-reached'],
    ['after a limit was lowered below what was used is refused', { turnsPerDay: 1 }, {}, 'turns-a-day-reached'],
    ['that several limits forbid names the one that lasts longest', { turnsPerDay: 4, parallelTurns: 1 }, {}, 'turns-a-day-reached'],
  ])('%s', (_, limits, usage, slug) => {
    expect(refusalOf(limits, usage)?.slug).toBe(slug);
  });

  it.each<[Partial<Limits>, string]>([
    [{ turnsPerDay: 1 }, 'its 1 turn of today. Go on tomorrow'],
    [{ turnsPerDay: 3 }, 'its 3 turns of today'],
    [{ tokensPerDay: 1 }, 'its 1 token of today'],
    [{ parallelTurns: 1 }, 'has 1 turn running, of at most 1'],
  ])('counts as people do: %j is %j', (limits, words) => {
    expect(refusalOf(limits, { running: 1 })?.message).toContain(words);
  });

  it.each<[Partial<Limits>, string]>([
    [{ turnsPerDay: 0 }, 'allow no turns'],
    [{ tokensPerDay: 0 }, 'allow no tokens'],
    [{ parallelTurns: 0 }, 'allow no turn to run'],
    [{ turnsPerDay: 4, parallelTurns: 0 }, 'allow no turn to run'],
  ])('that %j forbids for good is not put off till tomorrow', (limits, words) => {
    const refusal = refusalOf(limits, { turns: 4, tokens: 0, running: 0 });
    expect(refusal).toMatchObject({ message: expect.stringContaining(words), details: { limit: 0, resetsAt: null } });
    expect(refusal?.retryAfterMs).toBeUndefined();
    expect(refusal?.message).not.toContain('tomorrow');
  });

  it.each<[string, Partial<Limits>, object, number]>([
    ['turns', { turnsPerDay: 3 }, { limit: 3, used: 4, resetsAt: tomorrow }, hour],
    ['tokens', { tokensPerDay: 800 }, { limit: 800, used: 900, resetsAt: tomorrow }, hour],
    ['turns at once', { parallelTurns: 2 }, { limit: 2, used: 2, resetsAt: null }, 2_000],
  ])('refused for its %s names limit, use, reset, and the time to wait', (_, limits, details, retryAfterMs) => {
    expect(refusalOf(limits)?.toWire()).toMatchObject({ kind: 'refusal', details, retryAfterMs, message: expect.stringMatching(/Go on tomorrow|Wait for one/) });
  });
});

describe('an account', () => {
  it.each<[string, Limits | undefined, boolean]>([
    ['of which nothing is known has no limits', undefined, false],
    ['without numbers has no limits', noLimits, false],
    ['with a zero is limited', { ...noLimits, parallelTurns: 0 }, true],
  ])('%s', (_, limits, expected) => {
    expect(isLimited(limits)).toBe(expected);
  });
});
