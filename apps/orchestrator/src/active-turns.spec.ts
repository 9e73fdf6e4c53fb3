import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { makeLog } from '@skillgate/service-kit/log';
import { ActiveTurns } from './active-turns.js';
import { cancelledByUser } from './keep-lease.js';

/** Work that ends when it is told to, or when it is aborted. */
function work() {
  let finish = () => undefined as void;
  let signal: AbortSignal | undefined;
  const run = (abort: AbortController) =>
    new Promise<void>((resolve) => {
      signal = abort.signal;
      finish = resolve;
      abort.signal.addEventListener('abort', () => resolve());
    });
  return { run, finish: () => finish(), reason: () => (signal?.aborted ? (signal.reason as { slug: string }).slug : null) };
}

describe('the turns of an instance', () => {
  let logged: string[];
  let turns: ActiveTurns;
  beforeEach(() => {
    jest.useFakeTimers();
    logged = [];
    turns = new ActiveTurns(makeLog('orchestrator', 'info', { write: (line: string) => void logged.push(line) }));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('can be cancelled while they run, and only here', async () => {
    const one = work();
    turns.start('t1', one.run);
    expect(turns.cancel('t2', cancelledByUser())).toBe(false);
    expect(turns.cancel('t1', cancelledByUser())).toBe(true);
    expect(one.reason()).toBe('turn-cancelled');
    await turns.drain(1_000);
    expect(turns.size).toBe(0);
    expect(turns.cancel('t1', cancelledByUser())).toBe(false);
  });

  it('let a drain wait for them and end by themselves', async () => {
    const one = work();
    turns.start('t1', one.run);
    const drained = turns.drain(10_000);
    await jest.advanceTimersByTimeAsync(7_000);
    one.finish();
    await drained;
    expect(one.reason()).toBeNull();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are handed over, with time left to write that down, when a drain cannot wait longer', async () => {
    const one = work();
    turns.start('t1', one.run);
    const drained = turns.drain(10_000);
    await jest.advanceTimersByTimeAsync(7_999);
    expect(one.reason()).toBeNull();
    await jest.advanceTimersByTimeAsync(1);
    expect(one.reason()).toBe('turn-handed-over');
    expect(await drained).toBe(1);
    expect(logged.join('')).toContain('handed over');
  });

  it('are handed over at once when a drain has hardly time for that', async () => {
    const one = work();
    turns.start('t1', one.run);
    const drained = turns.drain(900);
    await jest.advanceTimersByTimeAsync(0);
    expect(one.reason()).toBe('turn-handed-over');
    expect(await drained).toBe(1);
  });

  it('that break off are logged and forgotten, and break nothing else', async () => {
    turns.start('t1', () => Promise.reject(new Error('broken')));
    await turns.drain(1_000);
    expect(turns.size).toBe(0);
    expect(logged.join('')).toContain('broken');
  });
});
