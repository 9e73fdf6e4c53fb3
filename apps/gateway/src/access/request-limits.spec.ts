import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { HouseError } from '@skillgate/contracts/refusal';
import { RequestLimits } from './request-limits.js';

const holder = (account: string, key: string) => ({ account, key }) as Principal;

type Counted = ReturnType<RequestLimits['count']>;

async function refusalOf(counted: Counted): Promise<HouseError> {
  const { left, refusal } = await counted;
  if (!refusal) throw new Error('it was not refused');
  expect(left).toMatchObject({ limit: refusal.details!.limit, remaining: 0, resetMs: refusal.retryAfterMs });
  return refusal;
}

async function leftOf(counted: Counted) {
  const { left, refusal } = await counted;
  if (refusal) throw refusal;
  return left;
}

describe('requests in a minute', () => {
  it('are counted for each key, and the answer says what is left', async () => {
    const limits = new RequestLimits(2, 100);
    expect(await leftOf(limits.count(holder('a', 'k1')))).toMatchObject({ limit: 2, remaining: 1 });
    expect(await leftOf(limits.count(holder('a', 'k1')))).toMatchObject({ limit: 2, remaining: 0 });
    const refused = await refusalOf(limits.count(holder('a', 'k1')));
    expect(refused).toMatchObject({ kind: 'refusal', slug: 'requests-a-minute-reached', details: { scope: 'key', limit: 2, used: 2 } });
    expect(await leftOf(limits.count(holder('a', 'k2')))).toMatchObject({ remaining: 1 });
  });

  it('are counted for an account over all of its keys, and of no other', async () => {
    const limits = new RequestLimits(100, 2);
    await limits.count(holder('a', 'k1'));
    expect(await leftOf(limits.count(holder('a', 'k2')))).toMatchObject({ limit: 2, remaining: 0 });
    expect((await refusalOf(limits.count(holder('a', 'k3')))).details).toMatchObject({ scope: 'account', limit: 2 });
    expect(await leftOf(limits.count(holder('b', 'k4')))).toMatchObject({ remaining: 1 });
  });

  it('say when there is room again, the same in words for people and for programs', async () => {
    const limits = new RequestLimits(1, 0);
    await limits.count(holder('a', 'k1'));
    const { retryAfterMs, details } = await refusalOf(limits.count(holder('a', 'k1')));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(Math.abs(Date.parse(String(details?.resetsAt)) - Date.now() - retryAfterMs!)).toBeLessThan(1_000);
  });

  it('are not counted where the operator says 0', async () => {
    const limits = new RequestLimits(0, 0);
    for (let n = 0; n < 50; n++) expect(await leftOf(limits.count(holder('a', 'k1')))).toBeNull();
  });
});
