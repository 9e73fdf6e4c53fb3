import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '@skillgate/contracts/refusal';
import { makeLog } from '@skillgate/service-kit/log';
import { keepLease } from './keep-lease.js';
import { turnOf } from './spec-support/facts.js';
import type { HeldTurn, TurnStore } from './turn-store.js';

const leaseMs = 15_000;

describe('the lease of a turn', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  async function after(ms: number, renew: TurnStore['renew']) {
    const abort = new AbortController();
    const logged: string[] = [];
    const log = makeLog('orchestrator', 'info', { write: (line: string) => void logged.push(line) });
    let renewals = 0;
    const store = { renew: (turn: HeldTurn) => ((renewals += 1), renew(turn)) };
    const lease = keepLease(store, turnOf(), abort, log, leaseMs);
    await jest.advanceTimersByTimeAsync(ms);
    lease.stop();
    const heard = renewals;
    await jest.advanceTimersByTimeAsync(leaseMs);
    expect(renewals).toBe(heard);
    return { renewals, logged, reason: abort.signal.aborted ? (abort.signal.reason as { slug: string }).slug : null };
  }

  it('is renewed so often that one failure loses nothing', async () => {
    expect(await after(leaseMs, async () => ({ held: true, cancelRequested: false }))).toMatchObject({ renewals: 3, reason: null });
  });

  it('brings the cancellation that another instance heard', async () => {
    expect(await after(leaseMs / 3, async () => ({ held: true, cancelRequested: true }))).toMatchObject({ reason: 'turn-cancelled' });
  });

  it('that was lost ends the work', async () => {
    expect(await after(leaseMs / 3, async () => ({ held: false, cancelRequested: false }))).toMatchObject({ reason: 'turn-not-held' });
  });

  it('that cannot be renewed is told in the log once and tried again soon, until the database is back', async () => {
    let away = true;
    const lost = async () => (away ? Promise.reject(unavailable('database-down', 'away')) : { held: true, cancelRequested: false });
    setTimeout(() => (away = false), leaseMs / 3 + 2_200);
    const { renewals, logged, reason } = await after(leaseMs / 3 + 2_600, lost);
    expect({ renewals, reason }).toEqual({ renewals: 6, reason: null });
    expect(logged).toHaveLength(1);
  });
});
