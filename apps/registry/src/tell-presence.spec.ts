import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { heartbeatMs } from '@skillgate/contracts/tool-manifest';
import type { Log } from '@skillgate/service-kit/log';
import type { Wire } from '@skillgate/wire/wire';
import { Announcements } from './announcements.js';
import type { PresenceStore } from './presence-store.js';
import { announcedTool } from './spec-support/facts.js';
import { TellPresence } from './tell-presence.js';

let told: string[];
let here: Set<string>;
let announcements: Announcements;
let wire: { connected: boolean; since: number };
let failing: boolean;
let presence: TellPresence;

beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  here = new Set();
  failing = false;
  wire = { connected: true, since: Date.now() - 1_000_000 };
  announcements = new Announcements(() => []);
  const store: Pick<PresenceStore, 'here' | 'joined' | 'left'> = {
    here: async () => {
      if (failing) throw new Error('no database');
      return new Set(here);
    },
    joined: async (executor) => (told.push(`${executor} joined`), here.add(executor), true),
    left: async (executor, why) => (told.push(`${executor} ${why}`), here.delete(executor)),
  };
  const log = { warn: () => undefined } as unknown as Log;
  presence = new TellPresence({ status: () => wire } as unknown as Wire, announcements, store as PresenceStore, log);
  presence.onApplicationBootstrap();
});
afterEach(async () => {
  await presence.onApplicationShutdown();
  jest.useRealTimers();
});

const say = (executor: string) =>
  announcements.hear({ executor, version: '1.0.0', instance: `${executor}-1`, state: 'serving', tools: [announcedTool()] });

/** Lives for so many heartbeats; `speaking` are the executors that speak at each of them. */
async function beats(count: number, ...speaking: string[]): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    speaking.forEach(say);
    await jest.advanceTimersByTimeAsync(heartbeatMs);
  }
}

describe('who is here', () => {
  it('is told once for an executor that goes on speaking', async () => {
    await beats(5, 'docs');
    expect(told).toEqual(['docs joined']);
  });

  it('no longer includes an executor that fell silent for more than three heartbeats', async () => {
    await beats(1, 'docs', 'slack');
    await beats(2, 'slack');
    expect(told).toEqual(['docs joined', 'slack joined']);
    await beats(1, 'slack');
    expect(told.slice(2)).toEqual(['docs silent']);
  });

  it('is not judged by a replica that has just started', async () => {
    here.add('docs');
    await beats(3);
    expect(told).toEqual([]);
    await beats(1);
    expect(told).toEqual(['docs silent']);
  });

  it('is not judged by a replica whose wire was down', async () => {
    await beats(5, 'docs');
    wire = { connected: false, since: Date.now() };
    await beats(6);
    wire = { connected: true, since: Date.now() };
    await beats(3);
    expect(told).toEqual(['docs joined']);
    await beats(1);
    expect(told).toEqual(['docs joined', 'docs silent']);
  });

  it('is made up for when it could not be told', async () => {
    failing = true;
    await beats(2, 'docs');
    failing = false;
    await beats(1, 'docs');
    expect(told).toEqual(['docs joined']);
  });

  it('is told again when another replica said that an executor had gone which is heard here', async () => {
    await beats(2, 'docs');
    here.delete('docs');
    await beats(1, 'docs');
    expect(told).toEqual(['docs joined', 'docs joined']);
  });
});
