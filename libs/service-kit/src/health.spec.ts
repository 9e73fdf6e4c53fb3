import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { makeHealth } from './health.js';
import { makeLog } from './log.js';

const lines: string[] = [];
const log = makeLog('spec', 'info', { write: (line) => void lines.push(line) });
afterEach(() => void jest.restoreAllMocks());

describe('a health report', () => {
  it('is ready when every part is up', async () => {
    const health = makeHealth('catalog', log);
    health.add('nats', () => ({ up: true, since: 0 }));
    health.add('database', async () => undefined);
    expect(await health.report()).toEqual({
      service: 'catalog',
      ready: true,
      parts: { nats: { status: 'up', since: '1970-01-01T00:00:00.000Z' }, database: { status: 'up', since: expect.any(String) } },
    });
  });

  it('names the part that is down, since when, and why, without secrets', async () => {
    const health = makeHealth('catalog', log);
    health.add('database', () => {
      throw new Error('password=hunter2 refused');
    });
    expect(await health.report()).toMatchObject({
      ready: false,
      parts: { database: { status: 'down', detail: 'password=[redacted] refused' } },
    });
    expect(lines.at(-1)).toContain('health: database is down');
  });

  it('calls a check that hangs down', async () => {
    const health = makeHealth('catalog', log);
    health.add('database', () => new Promise(() => undefined));
    expect(await health.report()).toMatchObject({ ready: false, parts: { database: { detail: 'no answer within 800 ms' } } });
  });

  it('keeps the moment of the change while nothing changes, and logs the change alone', async () => {
    let up = false;
    const health = makeHealth('catalog', log);
    health.add('database', () => ({ up }), 0);
    const clock = jest.spyOn(Date, 'now');
    const at = async (ms: number) => {
      clock.mockReturnValue(ms);
      const { parts } = await health.report();
      return parts.database!.since;
    };
    const before = lines.length;
    expect([await at(1_000), await at(2_000)]).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:01.000Z']);
    up = true;
    expect([await at(3_000), await at(4_000)]).toEqual(['1970-01-01T00:00:03.000Z', '1970-01-01T00:00:03.000Z']);
    expect(lines).toHaveLength(before + 2);
  });

  it('asks a part once in a while, however many probes come', async () => {
    const check = jest.fn(async () => undefined);
    const health = makeHealth('catalog', log);
    health.add('database', check);
    await Promise.all([health.report(), health.report()]);
    await health.report();
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('lets no part hide another', () => {
    const health = makeHealth('catalog', log);
    health.add('database', () => undefined);
    expect(() => health.add('database', () => undefined)).toThrow('already');
  });
});
