import { describe, expect, it } from '@jest/globals';
import { toolName } from '@skillgate/contracts/words';
import { distinctName } from './distinct-name.js';

const long = `create_${'x'.repeat(57)}`;

describe('a name that two executors chose', () => {
  it.each<[string, string, string, string[], string]>([
    ['stays with the first', 'create_event', 'team-a', [], 'create_event'],
    ["has the second's executor behind it", 'create_event', 'team-b', ['create_event'], 'create_event_team_b'],
  ])('%s', (_sentence, own, executor, taken, name) => {
    expect(distinctName(own, executor, (one) => taken.includes(one))).toBe(name);
  });

  it.each([
    ['one that is as long as it may be', long, [long]],
    ['one whose other name is taken as well', 'create_event', ['create_event', 'create_event_team_b']],
  ])('is told apart by a hash: %s', (_what, own, taken) => {
    const name = distinctName(own, 'team-b', (one) => taken.includes(one));
    expect(toolName.safeParse(name).success).toBe(true);
    expect(name).toMatch(/_team_b_[0-9a-f]{6}$/);
    expect(distinctName(own, 'team-b', (one) => taken.includes(one))).toBe(name);
  });

  it('never meets another one', () => {
    const taken = new Set<string>();
    for (let n = 0; n < 50; n += 1) for (const own of [long, `${long.slice(0, 63)}y`, 'create_event']) taken.add(distinctName(own, `executor-with-a-long-name-${n}`, (one) => taken.has(one)));
    expect(taken.size).toBe(150);
  });
});
