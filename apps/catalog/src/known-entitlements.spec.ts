import { describe, expect, it, jest } from '@jest/globals';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import type { Wire } from '@skillgate/wire/wire';
import { KnownEntitlements } from './known-entitlements.js';

function known(epochOf: () => number) {
  const call = jest.fn(
    async (_contract: unknown, { account }: { account: string; minEpoch: number }) => ({ account, policyEpoch: epochOf() }) as Entitlements,
  );
  return { entitlements: new KnownEntitlements({ call } as unknown as Pick<Wire, 'call'>), call };
}

describe('entitlements', () => {
  it('are asked for once in a second', async () => {
    const { entitlements, call } = known(() => 4);
    await Promise.all([entitlements.of('a', 3), entitlements.of('a', 3), entitlements.of('a', 4)]);
    await entitlements.of('a', 2);
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('are asked for again when a newer epoch is demanded', async () => {
    let epoch = 4;
    const { entitlements, call } = known(() => epoch);
    await entitlements.of('a', 4);
    epoch = 5;
    expect((await entitlements.of('a', 5)).policyEpoch).toBe(5);
    expect(call).toHaveBeenCalledTimes(2);
  });

  it('are asked for again after a second', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const { entitlements, call } = known(() => 4);
    await entitlements.of('a', 4);
    jest.advanceTimersByTime(1_001);
    await entitlements.of('a', 4);
    expect(call).toHaveBeenCalledTimes(2);
    jest.useRealTimers();
  });

  it('of one account are never those of another', async () => {
    const { entitlements } = known(() => 4);
    expect((await entitlements.of('a', 1)).account).toBe('a');
    expect((await entitlements.of('b', 1)).account).toBe('b');
  });

  it('are not remembered when they could not be had', async () => {
    let away = true;
    const call = jest.fn(async () => {
      if (away) throw new Error('away');
      return { policyEpoch: 1 } as Entitlements;
    });
    const entitlements = new KnownEntitlements({ call } as unknown as Pick<Wire, 'call'>);
    await expect(entitlements.of('a', 1)).rejects.toThrow('away');
    away = false;
    expect((await entitlements.of('a', 1)).policyEpoch).toBe(1);
  });
});
