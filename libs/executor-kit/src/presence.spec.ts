import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Announcement, announcement, heartbeatMs } from '@skillgate/contracts/tool-manifest';
import { z } from 'zod';
import { defineExecutor } from './define-executor.js';
import { defineTool } from './define-tool.js';
import { startPresence } from './presence.js';

const tool = defineTool({
  name: 'lab_try',
  profile: 'docs',
  effect: 'read',
  description: 'Tries.',
  input: z.strictObject({}),
  timeoutMs: 1_000,
  execute: async () => null,
});
const executor = defineExecutor({ name: 'lab', version: '1.2.3', tools: [tool] });

describe('the presence of an executor', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const begin = () => {
    const said: Announcement[] = [];
    const drain = new AbortController();
    const presence = startPresence(executor, { announce: (one) => said.push(announcement.parse(one)) > 0 }, drain.signal);
    return { said, drain, presence, states: () => said.map(({ state }) => state) };
  };

  it('is told at once and at every heartbeat, as one instance', () => {
    const { said, states, presence } = begin();
    jest.advanceTimersByTime(2 * heartbeatMs);
    expect(states()).toEqual(['serving', 'serving', 'serving']);
    expect(new Set(said.map(({ instance }) => instance)).size).toBe(1);
    expect(said[0]).toMatchObject({ executor: 'lab', version: '1.2.3', tools: [{ name: 'lab_try' }] });
    presence.stop();
  });

  it('ends with one goodbye when the drain begins', () => {
    const { states, drain } = begin();
    drain.abort();
    jest.advanceTimersByTime(5 * heartbeatMs);
    expect(states()).toEqual(['serving', 'leaving']);
  });

  it('ends without a word when the start failed', () => {
    const { states, presence, drain } = begin();
    presence.stop();
    drain.abort();
    jest.advanceTimersByTime(heartbeatMs);
    expect(states()).toEqual(['serving']);
  });
});
