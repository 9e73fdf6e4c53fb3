import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineExecutor } from './define-executor.js';
import { defineTool } from './define-tool.js';

const tool = defineTool({
  name: 'lab_try',
  profile: 'docs',
  effect: 'read',
  description: 'Tries.',
  input: z.strictObject({}),
  timeoutMs: 1,
  execute: async () => 0,
});
const good = { name: 'lab', version: '1.0.0', tools: [tool] };

describe('defineExecutor', () => {
  it.each([
    ['a name that is no subject token', { name: 'Lab.One' }, 'lower-case letters'],
    ['a version that is none', { version: 'latest' }, 'major.minor.patch'],
    ['no tools', { tools: [] }, 'no tools'],
    ['a concurrency of none', { concurrency: 0 }, 'whole number above 0'],
    ['a tool twice', { tools: [tool, tool] }, '"lab_try" twice'],
  ])('refuses %s', (_what, change, words) => {
    expect(() => defineExecutor({ ...good, ...change })).toThrow(words);
  });
});
