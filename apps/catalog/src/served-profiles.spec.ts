import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Log } from '@skillgate/service-kit/log';
import { ServedProfiles } from './served-profiles.js';
import type { Served } from './served-store.js';

const served = (executor: string, profiles: string[], day = 1): Served => ({
  executor,
  profiles,
  approvedAt: `2026-11-0${day}T00:00:00.000Z`,
});

let stored: { served: Served[]; whole: boolean };
let registry: Served[] | Error;
let asked: number;
let warned: number;

beforeEach(() => {
  stored = { served: [], whole: false };
  registry = [];
  asked = 0;
  warned = 0;
});

function replica(): ServedProfiles {
  const store = {
    all: async () => structuredClone(stored),
    apply: async (one: Served) => void stored.served.push(one),
    complete: async (all: readonly Served[]) => void (stored = { served: [...stored.served, ...all], whole: true }),
  };
  const ask = async () => {
    asked += 1;
    if (registry instanceof Error) throw registry;
    return registry;
  };
  return new ServedProfiles(store, ask, { warn: () => (warned += 1) } as unknown as Log);
}

describe('the served profiles', () => {
  it('are asked of the registry once for all replicas, and no profile at all is an answer too', async () => {
    const one = replica();
    expect(await one.current()).toEqual(new Set());
    await one.current();
    expect(await replica().current()).toEqual(new Set());
    expect(asked).toBe(1);
  });

  it('are unknown, and not none, while the registry cannot be asked, whatever an event told meanwhile', async () => {
    registry = new Error('away');
    const one = replica();
    await one.apply(served('docs', ['docs']));
    expect(await one.current()).toBeUndefined();
    expect([await one.current(), asked, warned]).toEqual([undefined, 1, 1]);
    expect(one.detail()).toContain('no skill is withheld');
    jest.useFakeTimers({ now: Date.now() + 1_001 });
    registry = [served('slack', ['slack'])];
    expect(await one.current()).toEqual(new Set(['docs', 'slack']));
    jest.useRealTimers();
    expect([one.detail(), asked, warned]).toEqual([undefined, 2, 1]);
  });

  it('follow what is told, the later word about an executor', async () => {
    const one = replica();
    await one.current();
    one.note(served('docs', ['docs', 'analytics'], 3));
    one.note(served('docs', ['docs'], 2));
    await one.apply(served('slack', ['slack']));
    expect(await one.current()).toEqual(new Set(['docs', 'analytics', 'slack']));
    one.note(served('docs', ['docs'], 4));
    expect(await one.current()).toEqual(new Set(['docs', 'slack']));
  });

  it('come from the table in a replica that starts later', async () => {
    stored = { served: [served('docs', ['docs'])], whole: true };
    expect(await replica().current()).toEqual(new Set(['docs']));
    expect(asked).toBe(0);
  });

  it('are looked up once for all who wait', async () => {
    const one = replica();
    await Promise.all([one.current(), one.current(), one.current()]);
    expect(asked).toBe(1);
  });
});
