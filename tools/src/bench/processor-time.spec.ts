import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { processorMs, residentMb } from './processor-time.js';

describe('processor time', () => {
  const onLinux = process.platform === 'linux';

  it('counts a process with all that it started, and only where /proc tells', async () => {
    const before = processorMs([process.pid]);
    if (!onLinux) return expect(before).toBeNull();
    const child = spawn('sh', ['-c', 'sh -c "i=0; while [ \\$i -lt 200000 ]; do i=\\$((i+1)); done; sleep 5"'], { stdio: 'ignore' });
    try {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(processorMs([child.pid!])).toBeGreaterThan(50); // its child works, it only waits
      expect(processorMs([process.pid])! - before!).toBeGreaterThan(50);
    } finally {
      child.kill();
    }
  }, 20_000);

  it('knows nothing of a process that is gone', () => {
    expect(residentMb(2 ** 30)).toBeNull();
    if (onLinux) expect(residentMb(process.pid)).toBeGreaterThan(10);
  });
});
