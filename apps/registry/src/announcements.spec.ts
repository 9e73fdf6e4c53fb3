import { describe, expect, it, jest } from '@jest/globals';
import { heartbeatMs, type Announcement } from '@skillgate/contracts/tool-manifest';
import { Announcements } from './announcements.js';
import type { JudgedTool } from './judge-tool.js';
import { announcedTool } from './spec-support/facts.js';

const says = (change: Partial<Announcement> = {}): Announcement => ({
  executor: 'docs',
  version: '1.0.0',
  instance: 'a',
  state: 'serving',
  tools: [announcedTool()],
  ...change,
});

function listening() {
  const clock = { now: 1_000_000 };
  const judge = jest.fn((tools: readonly JudgedTool[]) => [...tools]);
  return { clock, judge, announcements: new Announcements(judge, () => clock.now) };
}

describe('announcements', () => {
  it('keep an instance through two missed heartbeats and drop it after three', () => {
    const { clock, announcements } = listening();
    announcements.hear(says());
    clock.now += heartbeatMs * 3;
    expect(announcements.living('docs')).toHaveLength(1);
    clock.now += heartbeatMs;
    expect(announcements.living('docs')).toHaveLength(0);
  });

  it('drop an instance that leaves and keep its neighbour', () => {
    const { announcements } = listening();
    announcements.hear(says({ instance: 'a' }));
    announcements.hear(says({ instance: 'b' }));
    announcements.hear(says({ instance: 'a', state: 'leaving' }));
    expect(announcements.living('docs').map((one) => one.instance)).toEqual(['b']);
  });

  it('judge a heartbeat that says nothing new only once', () => {
    const { judge, announcements } = listening();
    expect(announcements.hear(says())).toBe(true);
    expect(announcements.hear(says())).toBe(false);
    expect(judge).toHaveBeenCalledTimes(1);
    expect(announcements.hear(says({ tools: [announcedTool({ effect: 'external' })] }))).toBe(true);
    expect(judge).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['1.0.0\r\u001b[2Kapproved', '1.0.0\\u000d\\u001b[2Kapproved', 'U+000D'],
    ['1'.repeat(2_000), '1'.repeat(100), 'more than 100 characters'],
  ])('under the version %j hold back every tool', (version, shown, words) => {
    const { announcements } = listening();
    announcements.hear(says({ version }));
    expect(announcements.living()).toMatchObject([{ version: shown, tools: [{ fault: { slug: 'tool-quarantined', reason: expect.stringContaining(words) } }] }]);
  });

  it('answer the instance heard last first', () => {
    const { clock, announcements } = listening();
    announcements.hear(says({ instance: 'old', version: '1.0.0' }));
    clock.now += 10;
    announcements.hear(says({ instance: 'young', version: '1.1.0' }));
    expect(announcements.living('docs')[0]?.version).toBe('1.1.0');
  });

  it('of one executor have bounded room: an instance beyond it is not heard, and takes nothing of another executor', () => {
    const { announcements } = listening();
    const tools = Array.from({ length: 1_000 }, () => announcedTool());
    for (const instance of ['a', 'b', 'c', 'd']) expect(announcements.hear(says({ instance, tools }))).toBe(true);
    expect(announcements.isFull(says({ instance: 'e', tools }))).toBe(true);
    expect(announcements.hear(says({ instance: 'e', tools }))).toBe(false);
    expect(announcements.hear(says({ instance: 'a', tools }))).toBe(false);
    expect(announcements.hear(says({ executor: 'web', instance: 'e', tools }))).toBe(true);
    expect(announcements.living('docs').map((one) => one.instance)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of one instance that grows beyond it are dropped', () => {
    const { announcements } = listening();
    announcements.hear(says());
    expect(announcements.hear(says({ tools: Array.from({ length: 5_000 }, () => announcedTool()) }))).toBe(true);
    expect(announcements.living('docs')).toEqual([]);
  });

  it('forget silent instances, so that restarts do not fill the memory', () => {
    const { clock, announcements } = listening();
    for (let n = 0; n < 50; n += 1) {
      announcements.hear(says({ instance: `run-${n}` }));
      clock.now += heartbeatMs * 4;
    }
    clock.now -= heartbeatMs * 400;
    expect(announcements.living().length).toBeLessThanOrEqual(2);
  });
});
