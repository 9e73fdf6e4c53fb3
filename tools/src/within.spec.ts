import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const within = (...args: string[]) => spawnSync(process.execPath, [join(import.meta.dirname, '../within.mjs'), ...args], { encoding: 'utf8' });

describe('within', () => {
  it('hands on what the command printed and its exit code', () => {
    const { status, stdout } = within('20', process.execPath, '-e', 'console.log("done"); process.exit(3)');
    expect({ status, stdout }).toEqual({ status: 3, stdout: 'done\n' });
  });

  it('ends a command that takes too long, with what it started', () => {
    const { status, stderr } = within('0.5', '/bin/sh', '-c', 'sleep 60 & sleep 60');
    expect(status).toBe(124);
    expect(stderr).toContain('took longer than 0.5 s');
  });

  it('says so when there is no such command', () => {
    expect(within('5', '/no/such/command').status).toBe(127);
  });
});
