import { describe, expect, it } from '@jest/globals';
import { makeDrain } from './drain.js';
import { makeLog } from './log.js';

const lines: string[] = [];
const log = makeLog('spec', 'info', { write: (line) => void lines.push(line) });
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a drain', () => {
  it('ends what started last first, one after the other', async () => {
    const ended: string[] = [];
    const drain = makeDrain(log);
    drain.add('pool', () => void ended.push('pool'));
    drain.add('calls', async () => {
      await sleep(20);
      ended.push('calls');
    });
    await drain.run(1_000);
    expect(ended).toEqual(['calls', 'pool']);
  });

  it('runs once, however often it is asked to', async () => {
    let runs = 0;
    const drain = makeDrain(log);
    drain.add('one', () => void (runs += 1));
    await Promise.all([drain.run(100), drain.run(100)]);
    await drain.run(100);
    expect(runs).toBe(1);
  });

  it('goes on after a step that failed, and rejects with its name', async () => {
    const ended: string[] = [];
    const drain = makeDrain(log);
    drain.add('pool', () => void ended.push('pool'));
    drain.add('calls', () => Promise.reject(new Error('no')));
    drain.add('sync', () => {
      throw new Error('never');
    });
    await expect(drain.run(100)).rejects.toThrow('the drain was not clean: sync: never; calls: no');
    expect(ended).toEqual(['pool']);
    expect(lines.at(-1)).toContain('"part":"calls"');
  });

  it('keeps one budget for all steps, and leaves something to the last of them', async () => {
    const told: number[] = [];
    const drain = makeDrain(log);
    for (const part of ['third', 'second', 'first']) {
      drain.add(part, (leftMs) => {
        told.push(leftMs);
        return new Promise(() => undefined);
      });
    }
    const began = Date.now();
    await expect(drain.run(500)).rejects.toThrow(/first: no end within 450 ms; second: .*; third: /);
    expect(Date.now() - began).toBeLessThan(1_000); // a budget for each of the three would be 1,500
    expect(told[0]).toBe(400);
    expect(told[1]).toBeLessThanOrEqual(40);
    expect(told[1]).toBeGreaterThan(0);
  });

  it('takes no step that comes when it runs', async () => {
    const drain = makeDrain(log);
    await drain.run(100);
    expect(() => drain.add('late', () => undefined)).toThrow('late came too late');
  });
});
