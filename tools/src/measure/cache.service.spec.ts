import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CacheEconomy, measureCache } from './cache.js';

describe('bin/measure cache', () => {
  let measured: CacheEconomy;
  beforeAll(async () => {
    measured = await measureCache();
  }, 60_000);

  it('in dispatch, sends every byte again that was sent before, and ten turns with three activations reuse at least 90%', () => {
    const { long, changedBytes } = measured.plans.dispatch;
    expect(changedBytes).toBe(0);
    expect(long).toBeGreaterThanOrEqual(0.9);
  });

  it('in expand, loses at each activation what stands behind the tools', () => {
    const { expand, dispatch } = measured.plans;
    expect(expand.changedBytes).toBeGreaterThan(10_000);
    expect(expand.long).toBeLessThan(dispatch.long);
    expect(expand.cold).toBeLessThan(dispatch.cold);
  });

  it('is what docs/prompt-cache.md says, within half a point; after a change run bin/measure cache --write', () => {
    const document = readFileSync(join(import.meta.dirname, '../../../docs/prompt-cache.md'), 'utf8');
    for (const [plan, { cold, long }] of Object.entries(measured.plans)) {
      const row = new RegExp(`^\\| \`${plan}\` \\| ([\\d.]+) % \\| ([\\d.]+) % \\|`, 'm').exec(document);
      expect(Math.abs(Number(row?.[1]) - cold * 100)).toBeLessThan(0.5);
      expect(Math.abs(Number(row?.[2]) - long * 100)).toBeLessThan(0.5);
    }
  });
});
