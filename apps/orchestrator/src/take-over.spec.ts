import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '@skillgate/contracts/refusal';
import { makeLog } from '@skillgate/service-kit/log';
import type { DataSource } from 'typeorm';
import type { AcceptParts } from './accept-turn.js';
import { TakeOver } from './take-over.js';
import { turnOf } from './spec-support/facts.js';

describe('the look for turns that lost their instance', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function scene() {
    const state = { away: false, looks: 0, takes: 0 };
    const logged: string[] = [];
    const log = makeLog('orchestrator', 'info', { write: (line: string) => void logged.push(line) });
    const { turn, account } = turnOf();
    const dataSource = {
      query: async () => {
        state.looks += 1;
        if (state.away) throw unavailable('database-down', 'away');
        return [{ turn, account }];
      },
      createQueryRunner: () => ({
        query: async () => void (state.takes += 1), // opens the transaction
        manager: { query: async () => [[], 0] }, // somebody else was faster
        commitTransaction: async () => undefined,
        rollbackTransaction: async () => undefined,
        release: async () => undefined,
      }),
    } as unknown as DataSource;
    const parts = { log, config: { SKILLGATE_LEASE_MS: 15_000 } } as AcceptParts;
    return { state, logged, takeOver: new TakeOver(parts, dataSource) };
  }

  it('happens every half second or less, at once when turns were given away, and not after the end', async () => {
    const { state, takeOver } = scene();
    takeOver.start();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(state.takes).toBe(state.looks);
    expect(state.looks).toBeGreaterThanOrEqual(22);
    expect(state.looks).toBeLessThanOrEqual(36);
    const before = state.looks;
    takeOver.wake();
    await jest.advanceTimersByTimeAsync(1);
    expect(state.looks).toBe(before + 1);
    await takeOver.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(state.looks).toBe(before + 1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes nothing at first when the database comes back: who holds a turn renews before', async () => {
    const { state, logged, takeOver } = scene();
    state.away = true;
    takeOver.start();
    await jest.advanceTimersByTimeAsync(5_000);
    expect([state.takes, logged.length]).toEqual([0, 1]); // told once
    state.away = false;
    const before = state.looks;
    while (state.looks === before) await jest.advanceTimersByTimeAsync(10);
    await jest.advanceTimersByTimeAsync(600); // a renewal is tried every 500 ms
    expect(state.takes).toBe(0);
    await jest.advanceTimersByTimeAsync(600);
    expect(state.takes).toBeGreaterThan(0);
    await takeOver.stop();
  });
});
