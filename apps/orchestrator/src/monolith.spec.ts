import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { measureMonolith } from '@skillgate/contracts/calls/catalog';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import { unavailable } from '@skillgate/contracts/refusal';
import { makeLog } from '@skillgate/service-kit/log';
import { monolithMeter } from './monolith.js';
import { FakeWire } from './spec-support/fake-wire.js';

describe('the measure of a prompt without gates', () => {
  let wire: FakeWire;
  let bodies: () => number | Promise<number>;
  let logged: string[];
  let meter: ReturnType<typeof monolithMeter>;
  beforeEach(() => {
    jest.useFakeTimers();
    bodies = () => 100;
    logged = [];
    wire = new FakeWire().on(measureMonolith, async () => ({ bodiesTokens: await bodies(), skills: 1 })).on(listProfiles, () => ({ profiles: [], allToolsTokens: 20 }));
    meter = monolithMeter(wire.wire, makeLog('orchestrator', 'info', { write: (line: string) => void logged.push(line) }));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is asked for once a minute, also by turns at the same time', async () => {
    expect(await Promise.all([meter(), meter()])).toEqual([{ bodiesTokens: 100, allToolsTokens: 20 }, { bodiesTokens: 100, allToolsTokens: 20 }]);
    await jest.advanceTimersByTimeAsync(59_000);
    await meter();
    expect(wire.count(measureMonolith.subject)).toBe(1);
  });

  it('is renewed behind the turn that finds it old', async () => {
    await meter();
    await jest.advanceTimersByTimeAsync(61_000);
    bodies = () => 200;
    expect(await meter()).toMatchObject({ bodiesTokens: 100 });
    await jest.advanceTimersByTimeAsync(1);
    expect(await meter()).toMatchObject({ bodiesTokens: 200 });
  });

  it('holds no turn up for more than a second', async () => {
    bodies = () => new Promise(() => undefined);
    const asked = meter();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await asked).toBeNull();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that fails is unknown, is told in the log, and is asked for again soon but not at once', async () => {
    bodies = () => Promise.reject(unavailable('no-responder', 'No catalog.'));
    expect(await meter()).toBeNull();
    expect(await meter()).toBeNull();
    expect(wire.count(measureMonolith.subject)).toBe(1);
    expect(logged.join('')).toContain('No catalog.');
    bodies = () => 100;
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await meter()).toMatchObject({ bodiesTokens: 100 });
  });
});
