import { describe, expect, it } from '@jest/globals';
import { type ToolProgress, toolProgress } from '@skillgate/contracts/tool-call';
import { makeProgress } from './progress.js';

function speaking() {
  const said: ToolProgress[] = [];
  const clock = { now: 0 };
  const progress = makeProgress(
    { callId: 'c1', tool: 'docs_try' },
    (one) => said.push(toolProgress.parse(one)),
    () => clock.now,
  );
  return { said, clock, progress };
}

describe('progress', () => {
  it('is not more than people can read, but always tells the end', () => {
    const { said, clock, progress } = speaking();
    progress('one', 0.1);
    progress('two', 0.2);
    progress('done', 1);
    clock.now = 500;
    progress('after');
    expect(said.map(({ message }) => message)).toEqual(['one', 'done', 'after']);
  });

  it('fits its contract whatever a tool says', () => {
    const { said, progress } = speaking();
    progress('x'.repeat(1_000), 1);
    progress('y', Number.NaN);
    expect(said[0]).toMatchObject({ message: `${'x'.repeat(299)}…`, fraction: 1 });
    const other = speaking();
    other.progress('z', -3);
    expect(other.said[0]?.fraction).toBe(0);
  });
});
